import type { ProcessResult } from '../workspace/process/run-process.ts'

/** `0.4 s`, `2 min 5 s`. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1_000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** Both streams of a command for a model: stdout as it is, stderr behind a line that names it. */
export function outputText({ stdout, stderr }: Pick<ProcessResult, 'stdout' | 'stderr'>): string {
  const out = plainText(stdout.text).trimEnd()
  const err = plainText(stderr.text).trimEnd()
  if (out === '' && err === '') return '(no output)'
  if (err === '') return out
  return out === '' ? `stderr:\n${err}` : `${out}\nstderr:\n${err}`
}

// CSI sequences (ECMA-48), OSC strings up to BEL or ST, and two-character escapes.
const ESCAPES = new RegExp(
  String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])`,
  'g',
)
const OTHER_CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f]`, 'g')

/** Text without terminal control: no colours, and of a line that was redrawn only its last form. */
export function plainText(text: string): string {
  return text
    .replaceAll(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => (line.includes('\r') ? (line.replace(/\r+$/, '').split('\r').at(-1) ?? '') : line))
    .join('\n')
    .replaceAll(OTHER_CONTROLS, '')
}
