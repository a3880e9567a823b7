// Holds the policy's reader of commands against bash, over generated commands:
//   node test/proof/shell-fuzz.ts --count 1000000 --seed 1
// The last line has the counts; the exit code is 1 where bash did anything that was not found.
import { parseArgs } from 'node:util'
import { BashOracle, hasBwrap, mayRun } from '../support/bash-oracle.ts'
import { disagreements, readFully } from '../support/shell-agreement.ts'
import { ShellGenerator } from '../support/shell-generator.ts'
import type { Analysis } from '../../src/policy/commands/segment.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    lost: { type: 'boolean' },
  },
})
const count = Number(values.count)
const seed = Number(values.seed)
const BATCH = 2_000

/** Constructs whose share among the commands that were fully read is told. */
const CONSTRUCTS: Readonly<Record<string, RegExp>> = {
  'single quotes': /'/,
  'double quotes': /"/,
  "$'…'": /\$'/,
  backslash: /\\/,
  parameter: /\$[\w@*#?{-]/,
  'command substitution': /\$\((?!\()|`/,
  'process substitution': /[<>]\(/,
  arithmetic: /\(\(/,
  'here-document': /<<-?\s*["'\\]?E/,
  'here-string': /<<</,
  redirection: /[<>]/,
  pipe: /(?<!\|)\|(?!\|)/,
  'and-or list': /&&|\|\|/,
  loop: /\b(?:for|while|select)\b/,
  'if or case': /\b(?:if|case)\b/,
  function: /\(\) *\{|function /,
  '[[': /\[\[/,
  assignment: /\b\w+\+?=/,
  braces: /\{[^}]*(?:,|\.\.)/,
  'several lines': /\n/,
}

const generator = new ShellGenerator(seed)
const oracle = new BashOracle()
const shares = new Map(Object.keys(CONSTRUCTS).map((name) => [name, 0]))
const total = { generated: 0, read: 0, ran: 0, calls: 0, files: 0, lost: 0, disagreements: 0 }
const begun = Date.now()
try {
  while (total.generated < count) {
    const batch: { command: string; analysis: Analysis }[] = []
    for (let i = 0; i < BATCH && total.generated < count; i++) {
      const command = generator.next()
      total.generated++
      const analysis = readFully(command)
      if (!analysis) continue
      total.read++
      for (const [name, pattern] of Object.entries(CONSTRUCTS))
        if (pattern.test(command)) shares.set(name, shares.get(name)! + 1)
      if (mayRun(command)) batch.push({ command, analysis })
    }
    const ran = await oracle.run(batch.map(({ command }) => command))
    for (const [at, { command, analysis }] of batch.entries()) {
      const result = ran[at]
      if (!result) {
        total.lost++
        if (values.lost) console.log(JSON.stringify({ lost: command }))
        continue
      }
      total.ran++
      total.calls += result.calls.length
      total.files += result.files.length
      const found = disagreements(analysis, result)
      if (found.length === 0) continue
      total.disagreements++
      console.log(JSON.stringify({ command, found: found.slice(0, 3) }))
    }
    if (total.generated % 50_000 === 0)
      console.error(`${total.generated} commands, ${total.disagreements} disagreements`)
  }
} finally {
  oracle.close()
}
const share = (part: number): string => `${((100 * part) / total.read).toFixed(1)} %`
console.log([...shares].map(([name, part]) => `${name} ${share(part)}`).join(', '))
console.log(
  `${total.generated} commands (seed ${seed}), ${total.read} fully read (${((100 * total.read) / total.generated).toFixed(1)} %), ${total.ran} run in bash${hasBwrap ? '' : ' without bwrap'}, ${total.calls} calls, ${total.files} files, ${total.lost} not ended, ${total.disagreements} disagreements, ${Math.round((Date.now() - begun) / 1_000)} s`,
)
process.exitCode = total.disagreements > 0 ? 1 : 0
