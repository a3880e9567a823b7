// Runs formatter, linter and type check over the files of a turn (`checks.afterEdit`). Promises: what they change is in the
// journal and told; a finding is told once, not again while it stays the same. Does not judge whether they may run: that
// is asked of `allowed` at each turn.
import { isAbsolute } from 'node:path'
import type { Confinement } from '../process/confinement.ts'
import { runProcess, type ProcessResult } from '../process/run-process.ts'
import type { Workspace } from '../workspace.ts'
import { findChecks, type Check } from './find-checks.ts'

export interface AfterEditOptions {
  workspace: Workspace
  /** `checks.afterEdit`. */
  setting: 'auto' | 'off' | readonly string[]
  sessionId: string
  environment: () => Readonly<Record<string, string>>
  /** The sandbox and what stands around it. */
  confinement?: Confinement
  /** Why none may run, such as a folder that is not trusted; told once. */
  refusal: () => string | undefined
}

export interface CheckedEdit {
  /** For the model: what was found and what was formatted. */
  text: string
  /** Files the checks changed, relative to the root. */
  changed: string[]
}

export type AfterEdit = (files: readonly string[], signal: AbortSignal) => Promise<CheckedEdit | undefined>

/** A type check of a large project takes half a minute. */
const TIMEOUT_MS = 120_000
/** Characters of one check's output: the first faults are what matters. */
const SHOWN_CHARACTERS = 3_000

/** Makes the step after an edit; undefined is what it gives when there is nothing to say. */
export function createAfterEdit(options: AfterEditOptions): AfterEdit {
  const { workspace, setting, sessionId } = options
  const told = new Map<string, string>()
  let refused = false

  async function runOne({ command }: Check, signal: AbortSignal): Promise<ProcessResult> {
    return await runProcess({
      command,
      cwd: workspace.root,
      env: options.environment(),
      timeoutMs: TIMEOUT_MS,
      signal,
      owner: sessionId,
      ...options.confinement,
    })
  }

  return async (files, signal) => {
    const checks = findChecks(
      workspace.root,
      setting,
      files.filter((file) => !isAbsolute(file)),
    )
    if (checks.length === 0) return undefined
    const refusal = options.refusal()
    if (refusal !== undefined) {
      const first = !refused
      refused = true
      return first ? { text: `Checks after the edit did not run: ${refusal}`, changed: [] } : undefined
    }
    const names = checks.map(({ name }) => name)
    const watch = await workspace.journal?.watchCommand({ sessionId, description: `checks: ${names.join(', ')}` })
    const findings: string[] = []
    for (const check of checks) {
      if (signal.aborted) break
      const finding = findingOf(check, await runOne(check, signal))
      if (finding !== undefined && told.get(check.name) !== finding) findings.push(finding)
      if (finding === undefined) told.delete(check.name)
      else told.set(check.name, finding)
    }
    const changed = (await watch?.finish())?.paths ?? []
    workspace.noteChange(changed)
    if (changed.length > 0)
      findings.unshift(`Changed by ${names[0]}: ${changed.join(', ')}. Line numbers may be others now.`)
    return findings.length === 0 ? undefined : { text: `Checks after the edit:\n${findings.join('\n')}`, changed }
  }
}

function findingOf({ name }: Check, { outcome, exitCode, error, stdout, stderr }: ProcessResult): string | undefined {
  if (outcome === 'exited' && exitCode === 0) return undefined
  if (outcome === 'cancelled') return undefined
  if (outcome === 'failed') return `${name} could not be started: ${error ?? 'unknown reason'}`
  if (outcome === 'over-limit') return `${name}: ${error ?? 'it took too much of the machine'}`
  if (outcome === 'timed-out') return `${name} was ended after ${TIMEOUT_MS / 1000} s.`
  const output = `${stdout.text}\n${stderr.text}`.trim()
  const cut = output.length > SHOWN_CHARACTERS ? `${output.slice(0, SHOWN_CHARACTERS)}\n…` : output
  return `${name} (exit ${exitCode ?? 'by signal'}):\n${cut}`
}
