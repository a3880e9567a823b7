import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { Message, NewMessage } from '../../src/protocol/index.ts'
import type { NewSession, SessionStore } from '../../src/session/session-store.ts'
import fc from '../support/property.ts'

const session: NewSession = {
  title: 'explain how login works',
  type: 'CHAT',
  workspaceId: 'a1b2c3',
  root: '/work/app',
  model: 'local/qwen/2.5:7b',
  metadata: { mode: 'ask' },
}

const user = (text: string): NewMessage => ({ sender: 'USER', text })

const answer: NewMessage = {
  sender: 'AI',
  text: 'I look at it.',
  output: {
    text: 'I look at it.',
    reasoning: 'where is login?',
    reasoningData: [{ signature: 'x' }],
    toolCalls: [{ id: 'c1', name: 'read_file', args: { path: 'src/login.ts' }, rawArgs: '{"path":"src/login.ts"}' }],
    raw: '{"choices":[]}',
    finishReason: 'tool_calls',
    usage: { inputTokens: 900, outputTokens: 12 },
    model: 'qwen/2.5:7b',
  },
}

const result: NewMessage = {
  sender: 'SYSTEM',
  text: '',
  system: {
    type: 'DATA_ADDED',
    batchId: 'b1',
    callId: 'c1',
    toolName: 'read_file',
    result: { status: 'success', text: '1: export function validateToken() {}', data: { lines: 1 } },
    summary: 'read 1 line',
  },
}

const withAnswer = (text: string, said: string): NewMessage => ({
  ...answer,
  text,
  output: { ...answer.output!, text: said },
})

const anyText = fc.string({ unit: 'grapheme' })

/** Any message a session can hold, with and without its optional parts. */
const anyMessage: fc.Arbitrary<NewMessage> = fc.oneof(
  fc
    .tuple(anyText, fc.boolean(), fc.dictionary(fc.string(), fc.integer()))
    .map(([text, excludeFromPrompt, execution]): NewMessage => ({
      sender: 'USER',
      text,
      attachments: [{ kind: 'path', ref: 'a.ts', summary: 'a.ts' }],
      excludeFromPrompt,
      execution,
    })),
  anyText.map(user),
  anyText.map((text) => withAnswer(text, text)),
  anyText.map((said) => withAnswer('', said)),
  fc.constant(result),
  fc.constant<NewMessage>({ sender: 'SYSTEM', text: 'x', system: { type: 'INTERRUPTED' } }),
)

/** What every session store keeps. `open` makes an empty store; the suite closes it. */
export function sessionStoreContract(name: string, open: () => SessionStore): void {
  describe(`${name} as a session store`, () => {
    let store: SessionStore | undefined
    const fresh = (): SessionStore => (store = open())
    afterEach(() => store?.close())

    test('a created session comes back as it was made, with zero sums and no messages', () => {
      const created = fresh().create(session)
      expect(created).toEqual({
        ...session,
        id: created.id,
        createdAt: created.createdAt,
        updatedAt: created.createdAt,
        messageCount: 0,
        stats: {
          inputTokens: 0,
          outputTokens: 0,
          cachedTokens: 0,
          elapsedMs: 0,
          turns: 0,
          toolCalls: 0,
          editsApplied: 0,
          editsRejected: 0,
        },
      })
      expect(store!.get(created.id)).toEqual(created)
      expect(created.id).toMatch(/^[0-9a-z]{12}$/)
    })

    test('an unknown id gives nothing, a unique beginning or ending of at least 4 characters gives the session', () => {
      const one = fresh().create(session)
      expect(store!.get('zzzzzzzzzzzz')).toBeUndefined()
      expect(store!.get(one.id.slice(0, 3))).toBeUndefined()
      expect(store!.get('%%%%')).toBeUndefined()
      expect(store!.get(one.id.slice(0, 4))?.id).toBe(one.id)
      expect(store!.get(one.id.slice(-4))?.id).toBe(one.id)
      store!.create(session)
      expect(store!.get(one.id.slice(0, 4))).toBeUndefined()
      expect(store!.get(one.id)?.id).toBe(one.id)
    })

    test('messages get sequence numbers from 1 without holes and come back as they were given', () => {
      const { id } = fresh().create(session)
      const appended = [user('hello'), answer, result].map((message) => store!.append(id, message))
      expect(appended.map((message) => message.seq)).toEqual([1, 2, 3])
      expect(appended[1]).toEqual({ ...answer, id: appended[1]!.id, sessionId: id, seq: 2, time: appended[1]!.time })
      expect(store!.messages(id)).toEqual(appended)
      expect(store!.get(id)).toMatchObject({ messageCount: 3, updatedAt: appended[2]!.time })
    })

    test('any message survives being stored and replaced', () => {
      const { id } = fresh().create(session)
      fc.assert(
        fc.property(anyMessage, anyMessage, (first, second) => {
          const placed = store!.append(id, first)
          expect(strip(store!.messages(id, { last: 1 })[0]!)).toEqual(first)
          const replaced = store!.replace(id, placed.id, second)
          expect({ id: replaced.id, seq: replaced.seq, time: replaced.time }).toEqual({
            id: placed.id,
            seq: placed.seq,
            time: placed.time,
          })
          expect(store!.messages(id, { last: 1 })).toEqual([replaced])
          expect(strip(replaced)).toEqual(second)
        }),
        { numRuns: 100 },
      )
    })

    test('messages that wait are kept in their order, until they are removed or their session goes', () => {
      const { id } = fresh().create(session)
      const other = store!.create(session)
      const [first, , third] = ['one', 'two', 'three'].map((text) => store!.addQueued(id, text))
      store!.addQueued(other.id, 'elsewhere')
      store!.removeQueued(first!)
      store!.removeQueued(first!)
      expect(store!.queued(id).map(({ text }) => text)).toEqual(['two', 'three'])
      expect(store!.queued(id)[1]).toEqual({ key: third, text: 'three' })
      store!.delete(id)
      expect(store!.queued(id)).toEqual([])
      expect(store!.queued(other.id).map(({ text }) => text)).toEqual(['elsewhere'])
    })

    test('reading is bounded by after, limit and last', () => {
      const { id } = fresh().create(session)
      for (let n = 1; n <= 10; n++) store!.append(id, user(`m${n}`))
      const seqs = (options: Parameters<SessionStore['messages']>[1]): number[] =>
        store!.messages(id, options).map((message) => message.seq)
      expect(seqs({ after: 7 })).toEqual([8, 9, 10])
      expect(seqs({ after: 2, limit: 2 })).toEqual([3, 4])
      expect(seqs({ last: 3 })).toEqual([8, 9, 10])
      expect(seqs({ last: 3, after: 8 })).toEqual([9, 10])
      expect(store!.messages('zzzzzzzzzzzz')).toEqual([])
      store!.append(id, answer)
      store!.append(id, user('m12'))
      store!.append(id, result)
      expect(seqs({ lastUserMessages: 1 })).toEqual([12, 13])
      expect(seqs({ lastUserMessages: 2 })).toEqual([10, 11, 12, 13])
      expect(seqs({ lastUserMessages: 2, limit: 1 })).toEqual([10])
      expect(seqs({ lastUserMessages: 99 })).toHaveLength(13)
    })

    test('rewinding removes messages from a place on, and the next one takes that place', () => {
      const { id } = fresh().create(session)
      for (let n = 1; n <= 5; n++) store!.append(id, user(`m${n}`))
      expect(store!.truncate(id, 3)).toBe(3)
      expect(store!.get(id)?.messageCount).toBe(2)
      expect(store!.append(id, user('again')).seq).toBe(3)
      expect(store!.messages(id).map((message) => message.text)).toEqual(['m1', 'm2', 'again'])
      expect(store!.truncate(id, 9)).toBe(0)
    })

    test('an image comes back by its hash, in forks too, and goes with its session', () => {
      const source = fresh().create(session)
      const other = store!.create(session)
      const data = new Uint8Array([137, 80, 0, 255])
      const hash = createHash('sha256').update(data).digest('hex')
      store!.addImage(source.id, hash, data)
      store!.addImage(source.id, hash, data)
      expect(new Uint8Array(store!.image(source.id, hash)!)).toEqual(data)
      expect([store!.image(source.id, 'h2'), store!.image(other.id, hash)]).toEqual([undefined, undefined])
      const fork = store!.fork(source.id)
      store!.delete(source.id)
      expect(store!.image(source.id, hash)).toBeUndefined()
      expect(new Uint8Array(store!.image(fork.id, hash)!)).toEqual(data)
    })

    test('a fork shares what was said up to a place and then goes its own way', () => {
      const source = fresh().create(session)
      for (let n = 1; n <= 3; n++) store!.append(source.id, user(`m${n}`))
      const part = store!.fork(source.id, 2)
      const whole = store!.fork(source.id)
      expect(part).toMatchObject({ messageCount: 2, forkedFrom: { id: source.id, seq: 2 }, title: session.title })
      expect(whole).toMatchObject({ messageCount: 3, forkedFrom: { id: source.id, seq: 3 } })
      store!.append(part.id, user('other'))
      expect(store!.messages(part.id).map((message) => [message.seq, message.sessionId, message.text])).toEqual([
        [1, part.id, 'm1'],
        [2, part.id, 'm2'],
        [3, part.id, 'other'],
      ])
      expect(store!.get(source.id)?.messageCount).toBe(3)
    })

    test('writing to a session that is not there is an error that names it', () => {
      fresh()
      for (const write of [
        () => store!.append('nosuchsession', user('x')),
        () => store!.rename('nosuchsession', 'x'),
        () => store!.setModel('nosuchsession', 'a/b'),
        () => store!.setMetadata('nosuchsession', {}),
        () => store!.addStats('nosuchsession', { turns: 1 }),
        () => store!.fork('nosuchsession'),
      ])
        expect(write).toThrow(/there is no session nosuchsession/)
      const { id } = store!.create(session)
      expect(() => store!.replace(id, 'nomessage', user('x'))).toThrow(/no message nomessage/)
      expect(store!.messages(id)).toEqual([])
    })

    test('title, model, metadata and sums change, and nothing else', () => {
      const created = fresh().create(session)
      store!.rename(created.id, 'login')
      store!.setModel(created.id, 'other/m')
      store!.setMetadata(created.id, { plan: [1] })
      store!.addStats(created.id, { inputTokens: 10, turns: 1 })
      store!.addStats(created.id, { inputTokens: 5, editsApplied: 2 })
      expect(store!.get(created.id)).toEqual({
        ...created,
        title: 'login',
        model: 'other/m',
        metadata: { plan: [1] },
        stats: { ...created.stats, inputTokens: 15, turns: 1, editsApplied: 2 },
      })
    })

    test('the list has the newest activity first and can be narrowed by title', () => {
      const first = fresh().create({ ...session, title: 'one 100%' })
      const second = store!.create({ ...session, title: 'two' })
      store!.append(second.id, user('older'))
      wait()
      store!.append(first.id, user('newer'))
      expect(store!.list().map((entry) => entry.id)).toEqual([first.id, second.id])
      expect(store!.list({ limit: 1 }).map((entry) => entry.id)).toEqual([first.id])
      expect(store!.list({ query: 'TWO' }).map((entry) => entry.id)).toEqual([second.id])
      expect(store!.list({ query: '100%' }).map((entry) => entry.id)).toEqual([first.id])
      expect(store!.list({ query: '%' }).map((entry) => entry.id)).toEqual([first.id])
    })

    test('a session in which nothing was said is not listed, and one with a queued message is', () => {
      const { id } = fresh().create(session)
      expect(store!.list()).toEqual([])
      expect(store!.get(id)).toBeDefined()
      store!.addQueued(id, 'for later')
      expect(store!.list().map((entry) => entry.id)).toEqual([id])
    })

    test('a deleted session takes its messages, history and questions along', () => {
      const { id } = fresh().create(session)
      store!.append(id, user('findable'))
      store!.addInput(id, 'findable')
      store!.addCommand(id, 'ls', 0)
      store!.addQuestion({ id: 'q1', sessionId: id, kind: 'confirm', text: 'sure?' })
      expect(store!.search('findable')).toHaveLength(1)
      expect(store!.delete(id)).toBe(true)
      expect(store!.delete(id)).toBe(false)
      expect([
        store!.get(id),
        store!.messages(id),
        store!.inputs(9),
        store!.commands(id),
        store!.questions(),
        store!.search('findable'),
      ]).toEqual([undefined, [], [], [], [], []])
    })

    test('purging deletes sessions without activity since then', () => {
      const old = fresh().create(session)
      wait()
      const recent = store!.create(session)
      store!.append(recent.id, user('kept'))
      expect(store!.purge(recent.createdAt)).toBe(1)
      expect(store!.list().map((entry) => entry.id)).toEqual([recent.id])
      expect(store!.get(old.id)).toBeUndefined()
    })

    test('search finds words, beginnings, tool results and changed text, with the line around them', () => {
      const { id } = fresh().create(session)
      const first = store!.append(id, user('please look\nat the Überweisung of customer_id 7\nthanks'))
      store!.append(id, answer)
      store!.append(id, result)
      const found = (query: string): [number, string][] => store!.search(query).map((hit) => [hit.seq, hit.excerpt])
      expect(found('uberweisung customer_id')).toEqual([[1, 'at the Überweisung of customer_id 7']])
      expect(found('validateTok')).toEqual([[3, '1: export function validateToken() {}']])
      expect(found('dateToken')).toEqual([[3, '1: export function validateToken() {}']])
      expect(found('" OR NEAR(')).toEqual([])
      expect(found('  ')).toEqual([])
      store!.replace(id, first.id, user('now something else'))
      expect(found('überweisung')).toEqual([])
      expect(found('something else')).toEqual([[1, 'now something else']])
      store!.truncate(id, 1)
      store!.append(id, user('fresh words'))
      expect(found('something')).toEqual([])
      expect(found('fresh')).toEqual([[1, 'fresh words']])
    })

    test('search can stay in one session and is bounded, newest first', () => {
      const one = fresh().create(session)
      const two = store!.create(session)
      for (const id of [one.id, two.id, two.id]) {
        store!.append(id, user('needle'))
        wait()
      }
      expect(store!.search('needle').map((hit) => [hit.sessionId, hit.seq])).toEqual([
        [two.id, 2],
        [two.id, 1],
        [one.id, 1],
      ])
      expect(store!.search('needle', { limit: 1 }).map((hit) => hit.seq)).toEqual([2])
      expect(store!.search('needle', { sessionId: one.id }).map((hit) => hit.sessionId)).toEqual([one.id])
    })

    test('inputs and commands come back newest last', () => {
      const one = fresh().create(session)
      const two = store!.create(session)
      store!.addInput(one.id, 'first')
      store!.addInput(two.id, 'second')
      store!.addInput(one.id, 'third')
      expect(store!.inputs(2)).toEqual(['second', 'third'])
      store!.addCommand(one.id, 'npm test', 1)
      store!.addCommand(one.id, 'sleep 9', null)
      expect(store!.commands(one.id).map(({ command, exitCode }) => [command, exitCode])).toEqual([
        ['npm test', 1],
        ['sleep 9', null],
      ])
    })

    test('a question is open until its first answer', () => {
      const { id } = fresh().create(session)
      store!.addQuestion({
        id: 'q1',
        sessionId: id,
        kind: 'choice',
        text: 'which?',
        options: ['a', 'b'],
        data: { n: 1 },
      })
      store!.addQuestion({ id: 'q2', sessionId: id, kind: 'text', text: 'why?' })
      expect(store!.answerQuestion('q1', 'a', 'user')).toBe(true)
      expect(store!.answerQuestion('q1', 'b', 'user')).toBe(false)
      expect(store!.answerQuestion('q9', 'b', 'user')).toBe(false)
      const [answered] = store!.questions({ sessionId: id, open: false })
      expect(answered).toEqual({
        id: 'q1',
        sessionId: id,
        kind: 'choice',
        text: 'which?',
        options: ['a', 'b'],
        data: { n: 1 },
        askedAt: answered!.askedAt,
        answer: 'a',
        answeredBy: 'user',
        answeredAt: answered!.answeredAt,
      })
      expect(store!.questions({ open: true }).map((question) => question.id)).toEqual(['q2'])
      expect(store!.questions({ sessionId: 'other' })).toEqual([])
    })
  })
}

function strip({ id: _id, sessionId: _session, seq: _seq, time: _time, ...message }: Message): NewMessage {
  return message
}

/** Until the clock has moved on, so that times differ. */
function wait(): void {
  const start = Date.now()
  while (Date.now() === start);
}
