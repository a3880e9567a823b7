// The question about a workspace with very many files, asked in lines on a terminal while the files are being counted.
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LargeAnswer, LargeFolder } from '../client/workbench.ts'
import { visible } from '../lib/visible.ts'
import type { Output } from './deps.ts'
import { plural } from '../lib/plural.ts'

export interface LargeQuestion {
  /** Undefined once it is answered. */
  current(): LargeFolder | undefined
  /** Gives what the answer comes to; throws UserError when a folder is none. */
  answer(answer: LargeAnswer): string
}

/** Who chooses a folder waits so long for the rest to be counted. Milliseconds. */
const COUNT_WAIT_MS = 3_000
const LOOK_MS = 50

const WORDS = ['continue', 'folder', 'cancel']

/** Asks until there is an answer; the end of the input cancels. Gives whether there is something to be read. */
export async function askLarge(
  question: LargeQuestion,
  { stdin, stderr }: { stdin: NodeJS.ReadableStream; stderr: Output },
): Promise<boolean> {
  const lines = createInterface({ input: stdin, terminal: false })
  const say = (...rows: string[]): void => void stderr.write(`${rows.join('\n')}\n`)
  const answer = (given: LargeAnswer): boolean => {
    try {
      // What a cancel comes to is the error that ends the command.
      const text = question.answer(given)
      if (given.kind !== 'none') say(text)
      return true
    } catch (thrown) {
      say(thrown instanceof Error ? thrown.message : String(thrown))
      return false
    }
  }
  let folders: LargeFolder['folders'] | undefined
  const ask = (): void => {
    const { limit = 0, files = 0, isCounting = false } = question.current() ?? {}
    if (folders === undefined)
      say(
        `More than ${count(limit)} files are here (${count(files)}${isCounting ? ' so far' : ''}). Read them all into the code index?`,
        '  1 continue: read them all, which takes time and memory',
        '  2 choose a folder',
        '  3 cancel',
      )
    else
      say(
        'Which folder is the index to keep to?',
        ...folders.map(({ path, files }, i) => `  ${i + 1} ${visible(path)}/  ${plural(files, 'file', count(files))}`),
      )
    stderr.write(folders === undefined ? '1, 2 or 3: ' : 'A number or a path; an empty line goes back: ')
  }
  try {
    ask()
    for await (const line of lines) {
      const typed = line.trim()
      if (folders !== undefined) {
        const chosen = /^\d$/.test(typed) ? folders[Number(typed) - 1]?.path : typed
        if (chosen && answer({ kind: 'folder', path: chosen })) return true
        if (typed === '') folders = undefined
      } else {
        const said = WORDS.findIndex((word, at) => typed === String(at + 1) || word === typed)
        if (said === 0 && answer({ kind: 'all' })) return true
        if (said === 1) folders = await counted(question)
        if (said === 2 && answer({ kind: 'none' })) return false
      }
      ask()
    }
    say('')
    answer({ kind: 'none' })
    return false
  } finally {
    lines.close()
  }
}

/** The folders once all are counted, or what is known of them after a moment. */
async function counted(question: LargeQuestion): Promise<LargeFolder['folders']> {
  const until = Date.now() + COUNT_WAIT_MS
  while (question.current()?.isCounting === true && Date.now() < until) await sleep(LOOK_MS)
  return question.current()?.folders ?? []
}

const count = (files: number): string => files.toLocaleString('en')
