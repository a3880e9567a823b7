import { describe, expect, test } from 'vitest'
import { allow, openToolBench } from '../../../test/support/tool-bench.ts'

describe('a file that somebody changes between proposal and write', () => {
  const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\n' }
  const edit = { path: 'a.txt', old_text: 'three', new_text: 'THREE' }

  /** The user's editor saves `text` while the change waits for a yes, as often as `times` says. */
  function conflicting(
    text: string,
    choose?: (choices: readonly string[]) => 'apply' | 'skip' | 'regenerate',
    times = 1,
  ) {
    const offered: (readonly string[])[] = []
    let saved = 0
    const bench = openToolBench({
      files: FILES,
      judge: (request) =>
        request.kind === 'tool' && request.effect === 'write' ? { ...allow, verdict: 'ask' } : allow,
      approve: () => {
        if (saved++ < times) bench.write('a.txt', `${text}${saved}\n`)
        return Promise.resolve({ answer: 'yes' })
      },
      ...(choose
        ? {
            chooseInConflict: (_message, choices) => {
              offered.push(choices)
              return Promise.resolve(choose(choices))
            },
          }
        : {}),
    })
    return { bench, offered, read: () => bench.read('a.txt') }
  }

  test('takes the change on top of it, when the user wants that', async () => {
    const { bench, offered, read } = conflicting('zero\none\ntwo\nthree\nfour\n', () => 'apply')
    await bench.call('read_file', { path: 'a.txt' })
    expect(await bench.call('edit_file', edit)).toMatchObject({
      status: 'success',
      text: expect.stringContaining('put on top of what somebody changed'),
    })
    expect(read()).toBe('zero\none\ntwo\nTHREE\nfour\n1\n')
    expect(offered).toEqual([['apply', 'skip', 'regenerate']])
    await bench.close()
  })

  test('offers no such thing where the lines are others now', async () => {
    const { bench, offered, read } = conflicting('one\ntwo\n3\nfour\n', () => 'skip')
    expect(await bench.call('edit_file', edit)).toMatchObject({ status: 'cancelled', code: 'USER_REJECTED' })
    expect(read()).toBe('one\ntwo\n3\nfour\n1\n')
    expect(offered).toEqual([['skip', 'regenerate']])
    await bench.close()
  })

  test('goes back to the model to be made anew', async () => {
    const { bench, read } = conflicting('one\ntwo\nthree\nfour\n', () => 'regenerate')
    expect(await bench.call('edit_file', edit)).toMatchObject({ status: 'failed', code: 'STALE_FILE' })
    expect(read()).toBe('one\ntwo\nthree\nfour\n1\n')
    await bench.close()
  })

  test('where nobody can choose is proposed anew once, then skipped', async () => {
    const once = conflicting('one\ntwo\nthree\nfour\n')
    expect(await once.bench.call('edit_file', edit)).toMatchObject({ status: 'success' })
    expect(once.read()).toBe('one\ntwo\nTHREE\nfour\n1\n')
    const twice = conflicting('one\ntwo\nthree\nfour\n', undefined, 2)
    expect(await twice.bench.call('edit_file', edit)).toMatchObject({ status: 'cancelled', code: 'STALE_FILE' })
    expect(twice.read()).toBe('one\ntwo\nthree\nfour\n2\n')
    await Promise.all([once.bench.close(), twice.bench.close()])
  })
})
