// Promises that a piece of a growing answer has been handed to the operating system when `grow` returns: it survives kill -9.
// Pieces lie in a file beside the database until the whole answer is in it; an answer whose program was killed is put
// together again when the store is next opened. A row would cost a page of the log for each word.
import { hash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Message, NewMessage } from '../../protocol/index.ts'
import type { SessionStore } from '../../session/session-store.ts'
import type { Database } from './database.ts'
import { isSound, type MessageRow, toMessage } from './message-row.ts'
import { toStoreError } from './fault.ts'

const SUM_LENGTH = 8

/** One line of the file: what the message held at first, a piece, or that its text so far was reasoning. */
type Line = ['start', string, string] | ['text' | 'reasoning', string] | ['all-reasoning']

/** Files this process writes: it may open the same store twice. */
const ownNames = new Set<string>()

type Growing = Pick<SessionStore, 'grow' | 'grown'>

/** The part of the store that holds growing answers. One in memory keeps none. */
export function growingPart(database: Database): Growing {
  const folder = growingFolder(database.file)
  const files = new Map<string, { handle: number; path: string }>()
  const write = (handle: number, line: Line): void => {
    const text = JSON.stringify(line)
    writeSync(handle, `${sumOf(text)} ${text}\n`)
  }
  const open = (sessionId: string, { id, text, output }: Message): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${sessionId}-${id}-${process.pid}`)
    const handle = openSync(path, 'a', 0o600)
    files.set(id, { handle, path })
    ownNames.add(basename(path))
    write(handle, ['start', text, output?.reasoning ?? ''])
    return handle
  }
  return {
    grow(sessionId, message, piece) {
      if (database.file === ':memory:') return
      try {
        const handle = files.get(message.id)?.handle ?? open(sessionId, message)
        write(handle, piece)
      } catch (error) {
        throw toStoreError(error, folder, false)
      }
    },
    grown(messageId) {
      const file = files.get(messageId)
      if (file === undefined) return
      files.delete(messageId)
      closeSync(file.handle)
      rmSync(file.path, { force: true })
      ownNames.delete(basename(file.path))
    },
  }
}

/**
 * Puts the answers together that other processes left growing. What belongs to one that still runs stays where it is.
 *
 * @param replace stores the whole of an answer in the place of its beginning
 */
export function recoverGrowing(
  database: Database,
  replace: (sessionId: string, messageId: string, message: NewMessage) => void,
): void {
  if (database.file === ':memory:' || database.readOnly) return
  const folder = growingFolder(database.file)
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return
  }
  for (const name of names) {
    const [sessionId = '', messageId = '', pid = ''] = name.split('-')
    if (ownNames.has(name)) continue
    const row = database.all<MessageRow>(
      'SELECT * FROM messages WHERE session_id = ? AND id = ? ORDER BY seq DESC LIMIT 1',
      sessionId,
      messageId,
    )[0]
    const message = row !== undefined && isSound(row) ? toMessage(row) : undefined
    const whole = message && withPieces(message, join(folder, name))
    if (whole) replace(sessionId, messageId, whole)
    if (!isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

/** The message with all pieces; undefined when they say no more than is stored, or when it has grown up meanwhile. */
function withPieces(message: Message, path: string): NewMessage | undefined {
  const { id: _id, sessionId: _session, seq: _seq, time: _time, ...stored } = message
  if (stored.output?.finishReason !== 'cut') return undefined
  let text = ''
  let reasoning = ''
  for (const line of readLines(path)) {
    if (line[0] === 'start') [, text, reasoning] = line
    else if (line[0] === 'text') text += line[1]
    else if (line[0] === 'reasoning') reasoning += line[1]
    else {
      reasoning += text
      text = ''
    }
  }
  const length = stored.text.length + (stored.output.reasoning ?? '').length
  if (text.length + reasoning.length <= length) return undefined
  return { ...stored, text, output: { ...stored.output, text, ...(reasoning === '' ? {} : { reasoning }) } }
}

/** Lines up to the first that is not as it was written. */
function readLines(path: string): Line[] {
  const lines: Line[] = []
  for (const each of readFileSync(path, 'utf8').split('\n')) {
    const text = each.slice(SUM_LENGTH + 1)
    if (each.slice(0, SUM_LENGTH) !== sumOf(text)) break
    lines.push(JSON.parse(text) as Line)
  }
  return lines
}

const sumOf = (text: string): string => hash('sha256', text, 'hex').slice(0, SUM_LENGTH)
const growingFolder = (file: string): string => `${file}-growing`

/** Whether a process has that number. A number that was given again only keeps a file for longer. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
