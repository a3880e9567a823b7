import type { Message, Session } from '../protocol/index.ts'

/** Lines of a tool's result that an export shows; the JSON form has all of it. */
const RESULT_LINES = 20

/** A session as a Markdown page: what was said, which tools ran and what came of it. */
export function toMarkdown(session: Session, messages: readonly Message[]): string {
  const facts = [
    `- session: ${session.id}`,
    `- workspace: ${session.root}`,
    `- model: ${session.model}`,
    `- started: ${new Date(session.createdAt).toISOString()}`,
    `- tokens: ${session.stats.inputTokens} in, ${session.stats.outputTokens} out`,
  ]
  const parts = messages.map(markdownOf).filter((part) => part !== '')
  return [`# ${session.title}`, facts.join('\n'), ...parts].join('\n\n')
}

function markdownOf({ sender, text, attachments, output, system }: Message): string {
  if (sender === 'USER') {
    const files = (attachments ?? []).map((each) => `\n- attached: ${each.summary}`).join('')
    return `## You\n\n${text}${files === '' ? '' : `\n${files}`}`
  }
  if (sender === 'AI') {
    const calls = (output?.toolCalls ?? []).map((call) => `- \`${call.name}\` ${inlineCode(JSON.stringify(call.args))}`)
    const body = [text, calls.join('\n')].filter((part) => part !== '').join('\n\n')
    return body === '' ? '' : `## Hound\n\n${body}`
  }
  const shown = system?.result?.text ?? system?.data ?? text
  const what =
    system?.toolName === undefined ? (system?.type ?? 'SYSTEM') : `${system.toolName}: ${system.result?.status}`
  return shown === '' ? '' : `### ${what}\n\n${fenced(firstLines(shown))}`
}

/** A message for the terminal; empty when there is nothing to see. */
export function messageText({ seq, sender, text, output, system }: Message): string {
  if (sender === 'USER') return `#${seq} you\n${text}`
  if (sender === 'AI') {
    const calls = (output?.toolCalls ?? []).map((call) => `▸ ${call.name} ${JSON.stringify(call.args)}`)
    return [`#${seq} hound`, ...(text === '' ? [] : [text]), ...calls].join('\n')
  }
  const shown = system?.summary ?? firstLines(system?.result?.text ?? system?.data ?? text)
  return `#${seq} ${system?.toolName ?? system?.type ?? 'system'}${system?.result === undefined ? '' : ` ${system.result.status}`}\n${shown}`.trimEnd()
}

/** The facts of a session, one a line. */
export function sessionHead(session: Session): string {
  const { stats } = session
  return [
    session.title,
    `id         ${session.id}`,
    `workspace  ${session.root}`,
    `model      ${session.model}`,
    `started    ${new Date(session.createdAt).toISOString()}`,
    `last       ${new Date(session.updatedAt).toISOString()}`,
    `messages   ${session.messageCount}`,
    `turns      ${stats.turns}, ${stats.toolCalls} tool calls`,
    `tokens     ${stats.inputTokens} in (${stats.cachedTokens} cached), ${stats.outputTokens} out`,
    ...(session.forkedFrom === undefined
      ? []
      : [`forked     from ${session.forkedFrom.id} at message ${session.forkedFrom.seq}`]),
  ].join('\n')
}

function firstLines(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= RESULT_LINES) return text
  return [...lines.slice(0, RESULT_LINES), `… ${lines.length - RESULT_LINES} more lines`].join('\n')
}

/** A fence longer than any run of backticks inside, so that the content cannot end it. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text}\n${fence}`
}

function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1)
  return fence.length > 1 ? `${fence} ${text} ${fence}` : `\`${text}\``
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}
