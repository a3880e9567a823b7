import { parseForeignJson, TOO_DEEP, TooDeepError } from '../../lib/foreign-json.ts'
import { z } from 'zod'
import type { ProcessResult } from '../../workspace/process/run-process.ts'

/** What hooks said together. */
export interface HookOutcome {
  /** The action may not be done, or the run may not stop yet; the text is for the model. */
  block?: string
  /** The user shall be asked first. A hook can never allow what the policy asks about. */
  ask?: string
  /** The run ends here; the text is for the user. */
  stop?: string
  /** Texts for the model's context. */
  context: string[]
  /** Hooks that failed; the action goes on. For the user. */
  problems: string[]
}

const answerSchema = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  decision: z.string().optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
      additionalContext: z.string().optional(),
    })
    .optional(),
})

/** Exit code of a hook that blocks; its stderr is the reason. */
const BLOCKS = 2

/** Adds what one hook said to the outcome. `contextual`: its plain output belongs to the model's context. */
export function addAnswer(outcome: HookOutcome, command: string, result: ProcessResult, contextual: boolean): void {
  const name = `the hook ${command.length > 60 ? `${command.slice(0, 60)}…` : command}`
  const said = result.stderr.text.trim()
  if (result.outcome === 'exited' && result.exitCode === BLOCKS) {
    outcome.block ??= said === '' ? `Blocked by ${name}.` : said
    return
  }
  if (result.outcome !== 'exited' || result.exitCode !== 0) {
    const what = result.outcome === 'exited' ? `ended with ${result.exitCode ?? result.signal}` : result.outcome
    outcome.problems.push(`${name} ${what}${said === '' ? '' : `: ${said.slice(0, 500)}`}${result.error ?? ''}`)
    return
  }
  const text = result.stdout.text.trim()
  const answer = text.startsWith('{') ? readAnswer(text, outcome, name) : undefined
  if (answer) addDecision(outcome, answer, name)
  else if (text !== '' && contextual) outcome.context.push(text)
}

function readAnswer(text: string, outcome: HookOutcome, name: string): z.output<typeof answerSchema> | undefined {
  try {
    return answerSchema.safeParse(parseForeignJson(text)).data
  } catch (error) {
    if (error instanceof TooDeepError) outcome.problems.push(`${name} answered JSON that is ${TOO_DEEP}`)
    return undefined
  }
}

function addDecision(outcome: HookOutcome, answer: z.output<typeof answerSchema>, name: string): void {
  const specific = answer.hookSpecificOutput
  const reason = specific?.permissionDecisionReason ?? answer.reason ?? `Blocked by ${name}.`
  if (answer.decision === 'block' || specific?.permissionDecision === 'deny') outcome.block ??= reason
  if (specific?.permissionDecision === 'ask') outcome.ask ??= reason
  if (answer.continue === false) outcome.stop ??= answer.stopReason ?? `Stopped by ${name}.`
  if (specific?.additionalContext) outcome.context.push(specific.additionalContext)
}
