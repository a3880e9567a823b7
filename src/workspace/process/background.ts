import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { ProtectedChange } from '../protected/put-back.ts'
import type { Confinement } from './confinement.ts'
import { runProcess, type ProcessOptions, type ProcessResult } from './run-process.ts'

/** Bytes returned by one read of a background command's output. */
const READ_BYTES = 64 * 1024

export interface BackgroundCommand {
  /** `bg1`, `bg2`, … in order of start. */
  id: string
  command: string
  cwd: string
  /** Milliseconds since the epoch. */
  startedAt: number
  running: boolean
  /** Null while it runs, and when a signal ended it. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** What it did to paths that other programs run or obey; known when it has ended. */
  protectedChanges?: ProtectedChange[]
  /** Why it could not be started, or was stopped. */
  error?: string
}

export interface BackgroundRead extends BackgroundCommand {
  /** Text from `offset` on, at most 64 KiB. */
  text: string
  /** Byte to read on from. */
  nextOffset: number
  /** Bytes the command has written so far. */
  totalBytes: number
}

export interface BackgroundProcesses {
  /** Starts a command and returns at once. */
  start(options: BackgroundOptions): BackgroundCommand
  /** Reads output from a byte offset; without one, from where the last read ended. Undefined for an unknown id. */
  read(id: string, offset?: number): BackgroundRead | undefined
  /** Ends the command with its tree and returns its last state. Undefined for an unknown id. */
  stop(id: string): Promise<BackgroundCommand | undefined>
  list(): BackgroundCommand[]
  /** Ends them all; call it when the session ends. */
  endAll(): Promise<void>
}

export type BackgroundOptions = Pick<ProcessOptions, 'cwd' | 'env' | 'onOutput' | 'owner' | 'hide'> &
  Confinement & {
    command: string
  }

interface Entry {
  state: BackgroundCommand
  file: string
  offset: number
  stop: AbortController
  ended: Promise<ProcessResult>
}

export interface BackgroundSettings {
  /** Folder for the output files `bgN.log`; made when the first command starts. */
  outputFolder: string
  /** Called when a command ends by itself or is stopped. */
  onEnd?: (command: BackgroundCommand) => void
  clock?: () => number
}

/** Makes the list of background commands of one session. */
export function createBackgroundProcesses(settings: BackgroundSettings): BackgroundProcesses {
  const entries = new Map<string, Entry>()
  const clock = settings.clock ?? Date.now

  const start = (options: BackgroundOptions): BackgroundCommand => {
    const id = `bg${entries.size + 1}`
    const file = join(settings.outputFolder, `${id}.log`)
    const stop = new AbortController()
    const state: BackgroundCommand = {
      id,
      command: options.command,
      cwd: options.cwd,
      startedAt: clock(),
      running: true,
      exitCode: null,
      signal: null,
    }
    const ended = runProcess({
      ...options,
      signal: stop.signal,
      // Everything goes to the file: it is what `read` reads.
      memoryBytes: 0,
      overflowFile: file,
    }).then((result) => {
      state.running = false
      state.exitCode = result.exitCode
      state.signal = result.signal
      if (result.error !== undefined) state.error = result.error
      if (result.protectedChanges !== undefined) state.protectedChanges = result.protectedChanges
      settings.onEnd?.({ ...state })
      return result
    })
    const entry: Entry = { state, file, offset: 0, stop, ended }
    entries.set(id, entry)
    return { ...state }
  }

  const read = (id: string, offset?: number): BackgroundRead | undefined => {
    const entry = entries.get(id)
    if (!entry) return undefined
    const from = Math.max(0, offset ?? entry.offset)
    // Asked before the file is read: what arrives in between is read next time.
    const { running } = entry.state
    const { bytes, total } = readPart(entry.file, from, !running)
    entry.offset = from + bytes.length
    return { ...entry.state, running, text: bytes.toString('utf8'), nextOffset: entry.offset, totalBytes: total }
  }

  const stop = async (id: string): Promise<BackgroundCommand | undefined> => {
    const entry = entries.get(id)
    if (!entry) return undefined
    entry.stop.abort()
    await entry.ended
    return { ...entry.state }
  }

  return {
    start,
    read,
    stop,
    list: () => [...entries.values()].map(({ state }) => structuredClone(state)),
    endAll: async () => {
      await Promise.all([...entries.keys()].map((id) => stop(id)))
    },
  }
}

/** Reads up to READ_BYTES; while the command runs, leaves a character whose end has not come yet for the next read. */
function readPart(file: string, from: number, whole: boolean): { bytes: Buffer; total: number } {
  if (!existsSync(file)) return { bytes: Buffer.alloc(0), total: 0 }
  const handle = openSync(file, 'r')
  try {
    const total = fstatSync(handle).size
    const buffer = Buffer.alloc(READ_BYTES)
    const count = readSync(handle, buffer, 0, READ_BYTES, from)
    if (whole && count < READ_BYTES) return { bytes: buffer.subarray(0, count), total }
    let end = count
    while (end > 0 && count - end < 3 && (buffer[end - 1]! & 0xc0) === 0x80) end--
    const lead = buffer[end - 1] ?? 0
    const wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
    return { bytes: buffer.subarray(0, count - end + 1 < wanted ? end - 1 : count), total }
  } finally {
    closeSync(handle)
  }
}
