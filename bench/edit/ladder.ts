// Measures the edit engine on one large file: a hit on each rung, a miss with its nearest lines, and the diff of the result.
// Run: node bench/edit/ladder.ts [lines] (default 20,000); prints one JSON line, milliseconds, median of 9.
import { diffFile } from '../../src/workspace/diff/file-diff.ts'
import { editText } from '../../src/workspace/edit/edit-text.ts'

const LINES = Number(process.argv[2] ?? 20_000)
const ROUNDS = 9

const lines = Array.from(
  { length: LINES },
  (_, at) => `    const value${at} = compute("${at % 97}", other)${at % 5 === 0 ? ' ' : ''}`,
)
const middle = Math.floor(LINES / 2)
lines[middle] = '    say(“hello – world”)'
const file = `${lines.join('\n')}\n`
const block = lines.slice(middle - 12, middle - 2)

const oldTexts: Record<string, string> = {
  exact: block.join('\n'),
  'trailing-space': block.map((line) => line.trimEnd()).join('\n'),
  indentation: block.map((line) => line.trim()).join('\n'),
  punctuation: 'say("hello - world")',
  miss: block.join('\n').replace(`value${middle - 7} =`, 'valueX ='),
}

const results: Record<string, number> = {}
for (const [name, oldText] of Object.entries(oldTexts)) {
  results[name] = median(() => {
    const edited = editText(file, [{ oldText, newText: 'changed()' }])
    const rung = edited.ok ? edited.matches[0]!.rung : 'miss'
    if (rung !== name) throw new Error(`${name} was served by ${rung}`)
  })
}
results['diff'] = median(() => diffFile('a.ts', file, file.replace('hello', 'bye')))
process.stdout.write(`${JSON.stringify({ lines: LINES, ...results })}\n`)

function median(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]! * 100) / 100
}
