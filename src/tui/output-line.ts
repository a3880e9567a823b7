// Output of a command as a terminal without cursor would show it: colours and moves left out, and of a line that was written
// over and over, such as a progress, what stands there at last.
import { visible } from '../lib/visible.ts'

const ESC = '\u001B'
/** `ESC [ … letter`, `ESC ] … BEL or ESC \`, and sequences of two or three characters (ECMA-48, xterm's ctlseqs.txt). */
const SEQUENCE = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007${ESC}]*(?:\u0007|${ESC}\\\\)|[()][A-Z0-9]|[=>78cM])`,
  'g',
)

/** One line, without its end. What is left of control characters is shown. */
export function outputLine(line: string): string {
  const plain = line.replaceAll(SEQUENCE, '').replace(/\r+$/, '')
  return visible(plain.slice(plain.lastIndexOf('\r') + 1))
}
