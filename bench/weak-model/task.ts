// The task of the weak model: a small repository with three faults, and the twelve steps that mend it. Each step can tell
// from the request or from the disk whether it was achieved, so the same task drives any agent.
import { existsSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const files: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "till",
  "type": "module",
  "scripts": { "check": "node check.js" }
}
`,
  'src/cart.js': `/** Sum of a cart in cents. */
export function subtotal(items) {
  let sum = 0
  for (const { price, count } of items) {
    sum += price
  }
  return sum
}
`,
  'src/tax.js': `const RATES = { food: 7, other: 19 }

export function tax(cents, kind) {
  const rate = RATES[kind] ?? RATES.other
  return Math.floor((cents * rate) / 10)
}
`,
  'src/format.js': `const SIGN = '€'

export function money(cents) {
  const whole = Math.floor(cents / 100)
  const rest = cents % 100
  return \`\${whole}.\${rest} \${SIGN}\`
}
`,
  'check.js': `import { subtotal } from './src/cart.js'
import { tax } from './src/tax.js'
import { money } from './src/format.js'

const cases = [
  ['subtotal', subtotal([{ price: 250, count: 2 }, { price: 100, count: 1 }]), 600],
  ['tax', tax(1000, 'food'), 70],
  ['money', money(1205), '12.05 €'],
]
const failed = cases.filter(([, got, want]) => got !== want)
for (const [name, got, want] of failed) console.log(\`\${name}: got \${got}, want \${want}\`)
console.log(failed.length === 0 ? 'all checks passed' : \`\${failed.length} of 3 checks failed\`)
process.exitCode = failed.length === 0 ? 0 : 1
`,
}

export const PROMPT =
  'The checks of this project fail (node check.js). Find the faults in src/, mend them, show that the checks pass, and write NOTES.md with one line about each fault.'

export type Step =
  | { kind: 'list'; path: string; seen: string }
  | { kind: 'read'; path: string; seen: string }
  | { kind: 'shell'; command: string; seen: string }
  | { kind: 'edit'; path: string; old: string; new: string }
  | { kind: 'write'; path: string; content: string }

export const NOTES = `# Faults
- "subtotal" left out the count
- tax took a tenth, not a hundredth
- money lost the zero of 5 cents
`

/** The steps before the last, which is the answer. */
export const steps: readonly Step[] = [
  { kind: 'list', path: 'src', seen: 'format.js' },
  { kind: 'read', path: 'package.json', seen: '"till"' },
  { kind: 'shell', command: 'node check.js', seen: '3 of 3 checks failed' },
  { kind: 'read', path: 'src/cart.js', seen: 'Sum of a cart in cents' },
  { kind: 'edit', path: 'src/cart.js', old: '    sum += price\n  }', new: '    sum += price * count\n  }' },
  { kind: 'read', path: 'src/tax.js', seen: 'RATES.other' },
  {
    kind: 'edit',
    path: 'src/tax.js',
    old: '  return Math.floor((cents * rate) / 10)',
    new: '  return Math.round((cents * rate) / 100)',
  },
  { kind: 'read', path: 'src/format.js', seen: 'const whole' },
  {
    kind: 'edit',
    path: 'src/format.js',
    old: '  const rest = cents % 100\n  return `${whole}.${rest} ${SIGN}`',
    new: '  const rest = String(cents % 100).padStart(2, "0")\n  return `${whole}.${rest} ${SIGN}`',
  },
  { kind: 'shell', command: 'node check.js', seen: 'all checks passed' },
  { kind: 'write', path: 'NOTES.md', content: NOTES },
]

export const ANSWER = 'All three faults are mended and the checks pass; NOTES.md says what they were.'

const textOf = (folder: string, path: string): string =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : ''

/** Whether a step has taken effect; `results`: what came back since the model spoke last. */
export function achieved(step: Step, folder: string, results: string): boolean {
  switch (step.kind) {
    case 'list':
    case 'read':
    case 'shell':
      return results.includes(step.seen)
    case 'edit':
      return textOf(folder, step.path).includes(step.new)
    case 'write':
      return textOf(folder, step.path).trim() === step.content.trim()
  }
}

/** What the folder must look like in the end. */
function expected(path: string): string {
  let text = files[path] ?? ''
  for (const step of steps) {
    if (step.kind === 'edit' && step.path === path) text = text.replace(step.old, () => step.new)
    if (step.kind === 'write' && step.path === path) text = step.content
  }
  return text
}

/** What is not as it should be; empty when the task is done and nothing else was touched. */
export function verdict(folder: string): string[] {
  const faults: string[] = []
  for (const path of [...Object.keys(files), 'NOTES.md'])
    if (textOf(folder, path).trim() !== expected(path).trim()) faults.push(`${path} is not as meant`)
  const check = spawnSync(process.execPath, ['check.js'], { cwd: folder, encoding: 'utf8', timeout: 10_000 })
  if (check.status !== 0) faults.push('the checks fail')
  const status = spawnSync('git', ['status', '--porcelain', '-uall'], { cwd: folder, encoding: 'utf8' })
  const known = new Set([...Object.keys(files), 'NOTES.md'])
  for (const line of status.stdout.split('\n').filter(Boolean))
    if (!known.has(line.slice(3))) faults.push(`${line.slice(3)} was made`)
  return faults
}
