// How much of the corpus the text tool-call parser gets right; with --splits also: each text split at every place.
// node bench/parser/corpus.ts [--splits]
import { cases } from '../../test/corpora/text-calls/cases.ts'
import { negatives } from '../../test/corpora/text-calls/negatives.ts'
import { tools } from '../../test/corpora/text-calls/tools.ts'
import { wrongInCase, wrongInNegative, wrongInWild } from '../../test/corpora/text-calls/verify.ts'
import { wild } from '../../test/corpora/text-calls/wild.ts'
import { createTextCallScanner, joinParts, scanText } from '../../src/model/text-calls/scanner.ts'

function report<T extends { id: string; text: string }>(
  name: string,
  list: readonly T[],
  check: (each: T) => string | undefined,
): void {
  const wrong = list.filter((each) => check(each) !== undefined)
  const share = ((100 * (list.length - wrong.length)) / list.length).toFixed(2)
  console.log(`${name}: ${list.length - wrong.length} of ${list.length} right (${share} %)`)
  for (const each of wrong) console.log(`  ${each.id}: ${check(each)}`)
}

report('forms × faults × positions', cases, wrongInCase)
report('habits of models', wild, wrongInWild)
report('texts without a call', negatives, wrongInNegative)

if (process.argv.includes('--splits')) {
  let splits = 0
  let different = 0
  for (const { text } of [...cases, ...wild, ...negatives]) {
    const whole = JSON.stringify(scanText(text, { tools, dialect: 'tagged-json' }))
    for (let at = 1; at < text.length; at++) {
      const scanner = createTextCallScanner({ tools, dialect: 'tagged-json' })
      const parts = [...scanner.feed(text.slice(0, at)), ...scanner.feed(text.slice(at)), ...scanner.end()]
      splits++
      if (JSON.stringify(joinParts(parts)) !== whole) different++
    }
  }
  console.log(`splits: ${splits}, with another result: ${different}`)
  if (different > 0) process.exitCode = 1
}
