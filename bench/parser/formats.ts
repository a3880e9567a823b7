// How many calls are right at once over the formats of today's models, and behind the sentences agents write before them.
// node bench/parser/formats.ts [--parser FILE] [--show]   (FILE: scanner.ts of another version, to compare)
import { pathToFileURL } from 'node:url'
import { allLeadIns, formatCases, leadInCases, wrongInFormat } from '../../test/corpora/text-calls/format-cases.ts'
import { inventedIn, prose, realProse } from '../../test/corpora/text-calls/prose.ts'
import type { FormatCase, Scan } from '../../test/corpora/text-calls/format-cases.ts'

const parserAt = process.argv.indexOf('--parser')
const parser = parserAt > 0 ? pathToFileURL(process.argv[parserAt + 1]!).href : '../../src/model/text-calls/scanner.ts'
const { scanText } = (await import(parser)) as { scanText: Scan }
const show = process.argv.includes('--show')

function report(name: string, list: readonly FormatCase[]): void {
  const wrong = list.flatMap((each) => {
    const fault = wrongInFormat(each, scanText)
    return fault === undefined ? [] : [{ each, fault }]
  })
  const right = list.length - wrong.length
  console.log(`${name}: ${right} of ${list.length} right at once (${((100 * right) / list.length).toFixed(1)} %)`)
  if (show) for (const { each, fault } of wrong) console.log(`  ${each.id}: ${fault}`)
}

for (const situation of new Set(formatCases.map((each) => each.situation)))
  report(
    `  ${situation}`,
    formatCases.filter((each) => each.situation === situation),
  )
report('formats × situations', formatCases)
report(
  'lead-ins, special tokens',
  leadInCases(allLeadIns.grammar, (format) => format.special),
)
report(
  'lead-ins held out, special tokens',
  leadInCases(allLeadIns.heldOut, (format) => format.special),
)
report(
  'lead-ins, forms people quote',
  leadInCases(allLeadIns.grammar, (format) => !format.special),
)
report(
  'lead-ins held out, forms people quote',
  leadInCases(allLeadIns.heldOut, (format) => !format.special),
)

const texts = [...prose, ...realProse('node_modules', 2000)]
const invented = texts.flatMap((each) => {
  const fault = inventedIn(each, scanText)
  return fault === undefined ? [] : [`  ${each.id}: ${fault}\n${each.text.slice(0, 300)}`]
})
console.log(
  `texts without a call: ${invented.length} invented in ${texts.length} (${prose.length} made, ${texts.length - prose.length} real)`,
)
if (show) for (const each of invented) console.log(each)
if (invented.length > 0) process.exitCode = 1
