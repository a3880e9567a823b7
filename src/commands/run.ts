// `codehound run`: one request without a terminal to ask. Text goes to stdout, progress to stderr; the exit code tells how
// the run ended. It never prompts: what would be asked is refused, and the report says so.
import type { Client } from '../client/client.ts'
import type { Event, Report, ToolResult } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { AppOptions, CommandDeps } from './deps.ts'
import { diffText } from './diff-text.ts'
import { forTerminal, visible } from '../lib/visible.ts'
import { oneLine, reportText } from './report-text.ts'
import type { Prompt } from './stdin.ts'

export interface RunOptions extends AppOptions {
  output: 'text' | 'json' | 'jsonl'
  /** Shows text as it comes even when stdout is no terminal. */
  narrate?: boolean
}

type Writer = (text: string) => void

/** What is worth a line of progress: why a call failed, how tests and commands ended. */
function resultLine(tool: string, { status, code, text, data }: ToolResult): string | undefined {
  const [first = ''] = text.split('\n')
  if (status === 'failed' || status === 'cancelled') return `${code ?? status}: ${first}`
  if (tool === 'run_tests') return first
  return tool === 'shell_exec' && typeof data?.['exitCode'] === 'number' && data['exitCode'] !== 0 ? first : undefined
}

/** Writes events as they come, in the form asked for. */
function showEvents(
  client: Client,
  options: RunOptions,
  out: Writer,
  err: Writer,
  live: boolean,
  colour: boolean,
): void {
  let lineOpen = false
  /** The call told last, and what each is called: a result that comes after another call says whose it is. */
  let lastCall = ''
  const titles = new Map<string, string>()
  const closeLine = (): void => {
    if (lineOpen) out('\n')
    lineOpen = false
  }
  const show = (event: Event): void => {
    switch (event.type) {
      case 'text-delta':
        if (!live) return
        // On a terminal; what goes into a file or a pipe stays as it is.
        out(visible(event.text))
        lineOpen = !event.text.endsWith('\n')
        return
      case 'text-end':
        return closeLine()
      case 'tool-call':
        lastCall = event.call.id
        titles.set(lastCall, oneLine(event.title))
        return err(`▸ ${oneLine(event.title)}\n`)
      case 'message': {
        // What the model says between its calls is progress; its last words are the answer.
        const { output } = event.message
        if (!live && output && output.toolCalls.length > 0 && output.text !== '') err(`${visible(output.text)}\n`)
        return
      }
      case 'tool-result': {
        const line = resultLine(event.tool, event.result)
        const whose = event.callId === lastCall ? '' : `${titles.get(event.callId) ?? event.tool} · `
        if (line !== undefined) err(`  ${visible(`${whose}${line}`)}\n`)
        return
      }
      case 'file-change':
        if (event.diff) err(`${diffText(event.diff, colour)}\n`)
        return
      case 'retry':
        return err(
          `retry ${event.attempt}/${event.of} in ${Math.ceil(event.delayMs / 1000)} s (${event.error.status ?? event.error.code})\n`,
        )
      case 'notice':
        return err(
          `${event.level === 'info' ? '' : `${event.level}: `}${visible(event.text)}${event.suggestion === undefined ? '' : ` ${event.suggestion}`}\n`,
        )
      case 'limit-reached':
        return err(`${event.text}\n`)
      case 'compaction':
        return err(colour ? `\u001B[2m${event.text}\u001B[22m\n` : `${event.text}\n`)
      default:
    }
  }
  if (options.output === 'jsonl') client.events((event) => out(`${JSON.stringify(event)}\n`), 0)
  else if (options.output === 'text') client.events(show, 0)
}

/** The last text the model gave in this run. */
function lastAnswer(client: Client): string {
  return client.messages().findLast((message) => message.sender === 'AI' && message.text !== '')?.text ?? ''
}

function finish(client: Client, report: Report, options: RunOptions, out: Writer, err: Writer, live: boolean): number {
  const { error } = report
  if (options.output === 'json') {
    out(`${JSON.stringify({ answer: lastAnswer(client), report }, null, 2)}\n`)
    if (error) err(`${JSON.stringify({ error })}\n`)
  } else if (options.output === 'jsonl') {
    if (error) err(`${JSON.stringify({ error })}\n`)
  } else {
    if (!live && report.outcome !== 'unreachable') {
      const answer = lastAnswer(client)
      if (answer !== '') out(`${answer}\n`)
    }
    if (error) err(`error: ${error.message}${error.suggestion === undefined ? '' : `\n${error.suggestion}`}\n`)
    const text = reportText(report)
    if (text !== '') err(`\n${text}\n`)
  }
  return report.exitCode
}

/** Runs one request to its end and returns the exit code. */
export async function run(prompt: Prompt, options: RunOptions, deps: CommandDeps): Promise<number> {
  const { stdout, stderr } = deps
  if (prompt.text.trim() === '') {
    throw new UserError('usage', 'Nothing to do: no prompt was given.', {
      exitCode: EXIT.usage,
      suggestion: 'Say what you want: codehound run "explain how login works", or pipe it in.',
    })
  }
  const app = await deps.openApp(options)
  const out: Writer = (text) => void stdout.write(stdout.isTTY === true ? forTerminal(text) : text)
  const err: Writer = (text) => void stderr.write(forTerminal(text))
  try {
    const client = await app.openSession({ interactive: false })
    const live = options.output === 'text' && (stdout.isTTY === true || options.narrate === true)
    showEvents(client, options, out, err, live, stderr.isTTY === true && !process.env['NO_COLOR'])
    let interrupts = 0
    const onSignal = (): void => {
      interrupts += 1
      if (interrupts > 1) process.exit(EXIT.interrupted)
      void client.submit({ type: 'interrupt-run' })
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    process.on('SIGHUP', onSignal)
    await client.submit({
      type: 'send-message',
      text: prompt.text,
      ...(prompt.data.length > 0 ? { data: prompt.data } : {}),
    })
    const report = await client.waitForRun()
    if (!report) throw new UserError('internal', 'The run did not start.')
    return finish(client, report, options, out, err, live)
  } finally {
    await app.close()
  }
}
