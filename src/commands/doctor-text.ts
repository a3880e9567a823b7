import type { Finding } from './doctor.ts'
import { plural } from '../lib/plural.ts'

const marks: Record<Finding['state'], string> = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' }

/** A line for each finding, what to do about it below, and how it stands in all. */
export function doctorText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, text, suggestion }) => [
    `${marks[state]}  ${check.padEnd(width)}  ${text}`,
    ...(suggestion === undefined ? [] : [`${' '.repeat(width + 11)}${suggestion}`]),
  ])
  const count = (state: Finding['state']): number => findings.filter((each) => each.state === state).length
  const [faults, warnings] = [count('fault'), count('warning')]
  const end =
    faults + warnings === 0 ? 'Everything works.' : `${plural(faults, 'fault')}, ${plural(warnings, 'warning')}.`
  return `${lines.join('\n')}\n${end}\n`
}
