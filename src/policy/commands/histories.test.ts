import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Mode } from '../../protocol/index.ts'
import { createPolicy } from '../policy.ts'
import { facts } from './fixtures/facts.ts'

const judge = async (command: string, mode: Mode, sandboxed = true) =>
  (
    await createPolicy({ root: '/w', mode, interactive: true, sandboxed, noSandbox: true, trusted: true, facts }).judge(
      {
        kind: 'command',
        command,
      },
    )
  ).verdict

const lines = readFileSync(new URL('fixtures/histories.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
const of = (kind: string): string[] =>
  lines.flatMap((line) => (line.startsWith(`${kind} `) ? line.slice(kind.length + 1) : []))

async function verdicts(commands: readonly string[], mode: Mode, unwanted: string, sandboxed?: boolean) {
  const found: string[] = []
  for (const command of commands) if ((await judge(command, mode, sandboxed)) === unwanted) found.push(command)
  return found
}

describe('commands of real histories', () => {
  const counted = [...of('look'), ...of('build')]

  test('are at least 300 that look or build, and each line has its class', () => {
    expect(counted.length).toBeGreaterThanOrEqual(300)
    expect(counted.length + of('change').length).toBe(lines.length)
  })

  test('in mode ask with a sandbox fewer than 3 of 100 that look or build ask, and none is refused', async () => {
    const asked = await verdicts(counted, 'ask', 'ask')
    expect(asked.length / counted.length, asked.join('\n')).toBeLessThan(0.03)
    expect(await verdicts(counted, 'ask', 'deny')).toEqual([])
  })

  test('in mode plan none that looks is refused', async () => {
    expect(await verdicts(of('look'), 'plan', 'deny')).toEqual([])
  })

  test('in mode plan what builds or changes is refused but for versions that are asked for, and lists', async () => {
    const run = await verdicts([...of('build'), ...of('change')], 'plan', 'allow')
    expect(run).toEqual(['node -v | grep "v0.10.48" || exit 1'])
  })
})

describe('what builds and checks without Node', () => {
  const builds =
    'cargo test --all¦go vet ./...¦make -j4 test¦python3 -m pytest -q¦pytest -k "a or b"¦ruff check src¦bun run test:unit'
  test('runs unasked in a sandbox only, and never in mode plan', async () => {
    const commands = builds.split('¦')
    expect(await verdicts(commands, 'ask', 'ask')).toEqual([])
    expect(await verdicts(commands, 'plan', 'allow')).toEqual([])
    expect(await verdicts(commands, 'ask', 'allow', false)).toEqual([])
  })

  const more =
    'cargo install x¦cargo publish¦cargo run¦cargo fmt¦cargo clippy --fix¦go get x¦go install x¦go run .¦make install¦make test deploy¦make release-docs¦python3 -m pip install x¦python3 -m http.server¦python3 -c 1¦ruff check --fix¦ruff format¦black .¦bun run dev¦bun add x¦deno run x.ts¦deno install¦mvn deploy¦gradle publish'
  test('asks where it fetches, publishes, rewrites, serves or runs any program', async () => {
    expect(await verdicts(more.split('¦'), 'ask', 'allow')).toEqual([])
  })
})
