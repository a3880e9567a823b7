import { visible } from '../lib/visible.ts'
import type { Report } from '../protocol/index.ts'
import { plural } from '../lib/plural.ts'

/** Characters of one command or title. */
const LINE_CHARACTERS = 160

/** The first line, control characters shown, cut where it is too long to be read at a glance. */
export function oneLine(text: string): string {
  const [first = '', ...more] = visible(text).trim().split('\n')
  return first.length > LINE_CHARACTERS || more.length > 0 ? `${first.slice(0, LINE_CHARACTERS - 2)} …` : first
}

/** `12,300 tokens in, 450 out · `; empty when the server counts none. */
function tokens({ inputTokens, outputTokens }: Report): string {
  if (inputTokens + outputTokens === 0) return ''
  return `${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} out · `
}

/** The end-of-run report for people; empty when the run neither changed nor refused anything and ended well. */
export function reportText(report: Report): string {
  const { filesChanged, commands, tests, refused, plan } = report
  const open = plan.filter((item) => item.state !== 'done')
  const quiet = filesChanged.length === 0 && refused.length === 0 && commands.length === 0 && !tests
  if (quiet && report.outcome === 'done') return ''
  const lines: string[] = []
  const outcome = {
    done: 'done',
    failed: 'failed',
    limit: 'stopped at a limit',
    refused: 'done, but something was refused',
    interrupted: 'interrupted',
    unreachable: 'no answer from the model',
  }
  lines.push(
    `${outcome[report.outcome]} · ${plural(report.turns, 'turn')} · ${plural(report.toolCalls, 'tool call')} · ${tokens(report)}${(report.elapsedMs / 1000).toFixed(1)} s · session ${report.sessionId}`,
  )
  for (const file of filesChanged) lines.push(`  ${file.change.padEnd(8)} ${file.path} +${file.added} -${file.removed}`)
  for (const { command, exitCode, pipes = [] } of commands) {
    const along = pipes.length === 0 ? '' : `; along the pipe ${pipes.map((codes) => codes.join(' | ')).join('; ')}`
    lines.push(`  ran      ${oneLine(command)} (exit ${exitCode ?? 'none'}${along})`)
  }
  for (const step of report.repository ?? []) lines.push(`  git      ${oneLine(step)}; undo takes back files only`)
  if (tests) {
    const stale = tests.stale ? ', before the last change' : ''
    const counts = `${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`
    lines.push(`  tests    ${tests.uncounted ? 'failed, without counts' : counts} (${oneLine(tests.command)}${stale})`)
  } else if (filesChanged.length > 0) lines.push('  tests    not run')
  for (const each of refused) lines.push(`  refused  ${oneLine(each.what)}: ${each.reason.split('\n')[0]}`)
  for (const item of open) lines.push(`  left     ${item.text}`)
  return visible(lines.join('\n'))
}
