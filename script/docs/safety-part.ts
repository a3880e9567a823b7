import { resolve } from 'node:path'
import type { CommandFacts } from '../../src/policy/commands/facts.ts'
import type { PolicyRequest, Verdict } from '../../src/policy/judgement.ts'
import { createPolicy } from '../../src/policy/policy.ts'
import type { Mode } from '../../src/protocol/index.ts'
import { code, table } from './markdown.ts'

/** The part of docs/safety.md that is made from the policy lies between these lines. */
const START = '<!-- verdicts: made by `npm run docs` from the policy -->'
const END = '<!-- end of verdicts -->'

/** A workspace as most are: a package with installed tools and a script, a secret file, a build folder that git ignores. */
const facts: CommandFacts = {
  home: '/home/user',
  temp: ['/tmp'],
  realPath: (path) => resolve(path),
  listFolder: (path) => (path === '/project' ? ['.env', 'dist', 'index.js', 'package.json', 'src'] : []),
  isSecret: (path) => path.endsWith('/.env'),
  isIgnored: (path) => path === '/project/dist',
  secretsInHistory: () => [],
  reach: (folder) => ({ secrets: resolve(folder) === '/project' ? ['/project/.env'] : [], linked: [], complete: true }),
  isInstalled: (name) => name === 'vitest',
  isChanged: (path) => path.endsWith('/changed.js'),
  isCodeChanged: () => false,
  scriptsChanged: () => false,
  scriptText: () => 'vitest run',
  environmentHasSecrets: () => false,
  gitHooks: () => [],
}

const tool = (name: string, effect: 'read' | 'write', path: string): PolicyRequest => ({
  kind: 'tool',
  tool: name,
  effect,
  paths: [path],
})

/** What stands in the first column, and what is judged. */
const ACTIONS: readonly (string | [words: string, request: PolicyRequest])[] = [
  ['read a file', tool('read_file', 'read', 'src/a.ts')],
  ['edit a file', tool('edit_file', 'write', 'src/a.ts')],
  ['edit a file in `.git` or `.codehound`', tool('edit_file', 'write', '.git/config')],
  ['open a host not named before', { kind: 'host', host: 'example.org' }],
  'ls -la && git status',
  "awk '{print $1}' index.js",
  'cat /etc/hosts',
  'cat .env',
  'grep -rn key .',
  'echo x > notes.txt',
  'echo x > /etc/motd',
  'npm test',
  'node index.js',
  'node changed.js',
  'node -e 1',
  'node --import ./x.js index.js',
  'npx vitest run',
  'npx something-new',
  'npm install zod',
  'cargo build',
  'python3 script.py',
  'curl https://example.org',
  'git add src',
  'git commit -m x',
  'git push',
  'git checkout .',
  'git apply x.patch',
  'rm -rf dist',
  'rm -rf /tmp/x',
  'sudo ls',
  '$X y',
]

const WORDS: Readonly<Record<Verdict, string>> = { allow: 'runs', ask: 'asks', deny: 'refused' }
const COLUMNS: readonly { head: string; mode: Mode; sandboxed?: boolean }[] = [
  { head: 'plan', mode: 'plan' },
  { head: 'ask', mode: 'ask' },
  { head: 'auto-edit', mode: 'auto-edit' },
  { head: 'auto, sandbox', mode: 'auto', sandboxed: true },
  { head: 'auto, `--no-sandbox`', mode: 'auto', sandboxed: false },
]

async function verdict(request: PolicyRequest, mode: Mode, sandboxed: boolean): Promise<string> {
  const policy = createPolicy({
    root: '/project',
    mode,
    interactive: true,
    sandboxed,
    noSandbox: !sandboxed,
    trusted: true,
    facts,
  })
  return WORDS[(await policy.judge(request)).verdict]
}

/** What the policy says of representative actions, asked of the policy itself. */
export async function verdictTable(): Promise<string> {
  const rowOf = async (action: (typeof ACTIONS)[number]): Promise<string[]> => {
    const [words, request] =
      typeof action === 'string' ? [code(action), { kind: 'command' as const, command: action }] : action
    const cells = COLUMNS.map(async ({ mode, sandboxed }) => {
      if (sandboxed !== undefined) return await verdict(request, mode, sandboxed)
      const [inside, without] = [await verdict(request, mode, true), await verdict(request, mode, false)]
      return inside === without ? inside : `${inside}; ${without} without a sandbox`
    })
    return [words, ...(await Promise.all(cells))]
  }
  return table(['', ...COLUMNS.map(({ head }) => head)], await Promise.all(ACTIONS.map(rowOf)))
}

/** The page with its generated part as it is now; throws when the page lost its marks. */
export async function safetyPage(page: string): Promise<string> {
  const [from, to] = [page.indexOf(START), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`docs/safety.md has no lines "${START}" and "${END}".`)
  return `${page.slice(0, from + START.length)}\n\n${await verdictTable()}\n\n${page.slice(to)}`
}
