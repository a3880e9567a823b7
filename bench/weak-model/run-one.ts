// One run of one agent over the task with one garble: what it said, how it ended, and whether the task is done.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePlace } from '../../test/support/cli.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import type { Garble } from './garbles.ts'
import { TRAP } from './garbles.ts'
import type { Profile } from './profiles.ts'
import { files, PROMPT, verdict } from './task.ts'
import { weakModel } from './weak-model.ts'
import type { Correction } from './weak-model.ts'

/** Where a note ends up when a path with a leading slash is taken at its word. */
const OUTSIDE = '/NOTES.md'

export interface Agent {
  name: string
  profile: Profile
  /** Executable and arguments of its headless form. */
  command(prompt: string): string[]
  /** Files under the home folder. */
  setup(url: string): Record<string, string>
  env(url: string): Record<string, string>
}

export interface Outcome {
  garble: string
  correction: Correction
  /** What is not as it should be; empty when the task is done. */
  faults: string[]
  exitCode: number | null
  /** A quoted call was run. */
  trapped: boolean
  requests: number
  /** Steps the model gave up on, by kind. */
  givenUp: string[]
  /** Broken invariants of its requests. */
  unsound: string[]
  stdout: string
  stderr: string
  ms: number
}

/** Longest run. Milliseconds. */
const TIME_LIMIT_MS = 90_000

/** An agent that is still at it after `limitMs` is killed. */
export async function runOne(
  agent: Agent,
  garble: Garble,
  correction: Correction,
  limitMs = TIME_LIMIT_MS,
): Promise<Outcome> {
  const place = makePlace(files)
  const model = weakModel(garble, correction, agent.profile, place.folder)
  const server = await startModelServer((request) => model.answer(request), { deltaChars: garble.deltaChars ?? 16 })
  for (const [path, text] of Object.entries(agent.setup(server.url))) {
    const file = join(place.home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const [program, ...args] = agent.command(PROMPT)
  const started = Date.now()
  const hadOutside = existsSync(OUTSIDE)
  try {
    const child = spawn(program!, args, {
      cwd: place.folder,
      env: { ...place.env, ...agent.env(server.url) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const killer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs)
    const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
    clearTimeout(killer)
    const escaped = existsSync(OUTSIDE) && !hadOutside
    if (escaped) rmSync(OUTSIDE)
    return {
      garble: garble.id,
      correction,
      faults: [...verdict(place.folder), ...(escaped ? [`${OUTSIDE} was made, outside the project`] : [])],
      exitCode,
      trapped: existsSync(join(place.folder, TRAP)),
      requests: server.requests.length,
      givenUp: [...model.given],
      unsound: [...server.failures],
      stdout,
      stderr,
      ms: Date.now() - started,
    }
  } finally {
    await server.close()
    place.remove()
  }
}
