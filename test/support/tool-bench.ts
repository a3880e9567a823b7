// A real workspace in a temporary folder with a real registry and call manager around it; the policy, the person and the
// clock are the test's.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Judgement, PolicyRequest } from '../../src/policy/judgement.ts'
import type { EventBody, ToolResult } from '../../src/protocol/index.ts'
import { createToolRegistry, type RegistryOptions, type ToolRegistry } from '../../src/tools/registry.ts'
import type { BatchCall } from '../../src/tools/batch-call.ts'
import { createToolRunner, type ToolRunner, type ToolRunnerOptions } from '../../src/tools/run-tool.ts'
import { createMemoryBlobStore } from '../../src/workspace/journal/blob-store.ts'
import { createMemoryJournalStore } from '../../src/workspace/journal/memory-journal-store.ts'
import { createBackgroundProcesses } from '../../src/workspace/process/background.ts'
import { commandEnvironment } from '../../src/workspace/process/environment.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/workspace.ts'

export const allow: Judgement = {
  verdict: 'allow',
  level: 'app',
  rule: 'test',
  reason: 'the test allows it',
  remember: [],
}

export interface ToolBench {
  root: string
  workspace: Workspace
  registry: ToolRegistry
  runner: ToolRunner
  events: EventBody[]
  /** What the policy was asked, in order. */
  judged: PolicyRequest[]
  /** Milliseconds; moves only by hand. */
  clock: { now: number }
  /** Runs one call with an id of its own. */
  call: (name: string, args?: Record<string, unknown>) => Promise<ToolResult>
  /** Runs calls as one response. */
  batch: (calls: (Pick<BatchCall, 'name'> & Partial<BatchCall>)[], signal?: AbortSignal) => Promise<ToolResult[]>
  write: (path: string, text: string) => void
  read: (path: string) => string
  close(): Promise<void>
}

export interface BenchOptions extends Partial<Omit<ToolRunnerOptions, 'registry' | 'workspace' | 'commands'>> {
  files?: Record<string, string>
  /** Changes are recorded in a journal in memory. */
  journal?: boolean
  registry?: RegistryOptions
  judge?: (request: PolicyRequest) => Judgement
  /** Instead of what starts commands plainly. */
  commands?: Partial<ToolRunnerOptions['commands']>
}

export function openToolBench(options: BenchOptions = {}): ToolBench {
  const { files = {}, journal = false, registry: registryOptions, judge = () => allow, commands, ...rest } = options
  const root = mkdtempSync(join(tmpdir(), 'codehound-tools-'))
  const outputFolder = mkdtempSync(join(tmpdir(), 'codehound-output-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  const journalParts = journal ? { journal: { store: createMemoryJournalStore(), blobs: createMemoryBlobStore() } } : {}
  const workspace = openWorkspace({ root, ...journalParts })
  const registry = createToolRegistry(registryOptions)
  const background = createBackgroundProcesses({ outputFolder })
  const events: EventBody[] = []
  const judged: PolicyRequest[] = []
  const clock = { now: 1_000_000 }
  const runner = createToolRunner({
    sessionId: 'test',
    registry,
    workspace,
    index: () => undefined,
    policy: {
      judge: (request) => {
        judged.push(request)
        return judge(request)
      },
      judgeAddress: (host, addresses) => {
        judged.push({ kind: 'host', host, url: `resolved to ${addresses.length > 0 ? 'addresses' : 'nothing'}` })
        return judge({ kind: 'host', host })
      },
    },
    commands: { background, environment: () => commandEnvironment(process.env), outputFolder, ...commands },
    syntax: false,
    window: () => 128_000,
    clock: () => clock.now,
    emit: (event) => events.push(event),
    approve: () => Promise.resolve({ answer: 'unavailable' }),
    ask: () => Promise.resolve(undefined),
    setPlan: (items) => events.push({ type: 'plan-update', items }),
    ...rest,
  })
  let made = 0
  const batch: ToolBench['batch'] = async (calls, signal = new AbortController().signal) => {
    const whole = calls.map((each): BatchCall => ({ id: `c${++made}`, args: {}, ...each }))
    return (await runner.run(whole, `b${made}`, signal)).results
  }
  return {
    root: workspace.root,
    workspace,
    registry,
    runner,
    events,
    judged,
    clock,
    batch,
    call: async (name, args = {}) => (await batch([{ name, args }]))[0]!,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    close: async () => {
      await background.endAll()
      for (const folder of [root, outputFolder]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
