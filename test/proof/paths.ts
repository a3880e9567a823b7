// Where paths lead: random trees of folders and links, and commands that read and write in them, judged and then run. What bash
// really read or wrote outside of the workspace must not have been judged free. Also run by hand:
//   node test/proof/paths.ts --count 20000 --seed 1
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPolicy } from '../../src/policy/policy.ts'
import { commandFacts } from '../../src/workspace/command-facts.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { picker, type Pick } from './picker.ts'

const CANARY = 'canary-outside-of-the-workspace'
const NAMES = ['a', 'b', 'c', 'l', 'm']
/** Commands tried in one tree: making a tree costs more than judging. */
const PER_TREE = 25

/** Half of the paths start at a link of the tree, where reading them as text goes wrong. */
function relativePath(pick: Pick, links: readonly string[], patterns: boolean): string {
  const parts = Array.from({ length: pick([1, 2, 2, 3, 3, 4, 5]) }, () =>
    pick([...NAMES, ...NAMES, '..', '..', '.', 'f', ...(patterns ? ['*', '?', '[a-l]'] : [])]),
  )
  return [...pick([[], links.length === 0 ? [] : [pick(links)]]), ...parts].join('/')
}

/** Folders and links of up to three levels; some links lead out, some nowhere, some in a circle. */
function plant(base: string, pick: Pick): string[] {
  const planted: string[] = []
  const [inside, outside] = [join(base, 'w'), join(base, 'out')]
  for (const folder of [inside, outside]) {
    mkdirSync(join(folder, 'a', 'b'), { recursive: true })
    mkdirSync(join(folder, 'c'))
  }
  for (const folder of ['', 'a', 'c', 'a/b']) {
    writeFileSync(join(outside, folder, 'f'), CANARY)
    writeFileSync(join(inside, folder, 'f'), 'inside')
  }
  writeFileSync(join(base, 'f'), CANARY)
  for (let links = pick([1, 2, 3, 4]); links > 0; links--) {
    const place = join(pick(['', 'a', 'a/b', 'c']), pick(NAMES))
    const at = join(inside, place)
    const target = pick([
      outside,
      '../out',
      '../../out/a',
      'a',
      '..',
      '../c',
      'a/b',
      '../l',
      `${outside}/f`,
      'm',
      '/',
      '../..',
    ])
    if (!existsSync(at)) {
      try {
        symlinkSync(target, at)
        planted.push(place)
      } catch {
        // A dangling link of that name is there already.
      }
    }
  }
  return planted
}

function command(pick: Pick, links: readonly string[]): { text: string; writes: boolean } {
  const path = relativePath(pick, links, false)
  const folder = relativePath(pick, links, false)
  return pick([
    { text: `cat ${path}`, writes: false },
    { text: `cat ${relativePath(pick, links, true)}`, writes: false },
    { text: `cat < ${path}`, writes: false },
    { text: `cd ${folder} && cat ${path}`, writes: false },
    { text: `cd ${folder}; cat ${relativePath(pick, links, true)}`, writes: false },
    { text: `(cd ${folder} && cd .. && head ${path})`, writes: false },
    { text: `grep -r . ${path}`, writes: false },
    { text: `grep -R . ${path}`, writes: false },
    { text: `grep . ${relativePath(pick, links, true)}`, writes: false },
    { text: `find -L ${folder} -name f -exec cat {} +`, writes: false },
    { text: `for x in ${relativePath(pick, links, true)}; do cat "$x"; done`, writes: false },
    { text: `echo new > ${path}`, writes: true },
    { text: `cd ${folder} && echo new > ${path}`, writes: true },
  ])
}

export interface Outcome {
  commands: number
  /** Those that were not free, rightly or not. */
  asked: number
  failures: string[]
}

export async function provePaths({ count, seed }: { count: number; seed: number }): Promise<Outcome> {
  const pick = picker(seed)
  const outcome: Outcome = { commands: 0, asked: 0, failures: [] }
  while (outcome.commands < count) {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-paths-')))
    const links = plant(base, pick)
    const root = join(base, 'w')
    const workspace = openWorkspace({ root })
    // The temporary folder is free to commands; here it is where everything lies.
    const facts = { ...commandFacts(workspace), temp: [] }
    const policy = createPolicy({
      root,
      mode: 'auto-edit',
      interactive: true,
      sandboxed: false,
      noSandbox: true,
      trusted: true,
      facts,
    })
    for (let at = 0; at < PER_TREE && outcome.commands < count; at++) {
      const { text, writes } = command(pick, links)
      outcome.commands++
      const { verdict } = await policy.judge({ kind: 'command', command: text })
      if (verdict !== 'allow') {
        outcome.asked++
        continue
      }
      const before = writes ? outsideOf(base) : ''
      const { stdout } = spawnSync('bash', ['-c', text], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 10_000,
      })
      if (stdout.includes(CANARY) || (writes && outsideOf(base) !== before)) outcome.failures.push(text)
    }
    rmSync(base, { recursive: true, force: true })
  }
  return outcome
}

/** Everything that lies beside the workspace, with its contents. */
function outsideOf(base: string): string {
  return spawnSync('bash', ['-c', 'find . -path ./w -prune -o -print -type f -exec cat {} +'], {
    cwd: base,
    encoding: 'utf8',
  }).stdout
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
  })
  const { commands, asked, failures } = await provePaths({ count: Number(values.count), seed: Number(values.seed) })
  for (const failure of failures.slice(0, 20)) console.log(`free, but it left the workspace: ${failure}`)
  console.log(`paths: ${commands} commands, ${asked} asked about, ${failures.length} failures (seed ${values.seed})`)
  process.exitCode = failures.length === 0 ? 0 : 1
}
