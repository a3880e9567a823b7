import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Mode } from '../../protocol/index.ts'
import { createPolicy, type PolicyOptions } from '../policy.ts'
import { DEFAULT_BLOCK_LIST } from './block-list.ts'
import { facts } from './fixtures/facts.ts'
import fc from '../../../test/support/property.ts'

const policy = (options: Partial<PolicyOptions> = {}) =>
  createPolicy({
    root: '/w',
    mode: 'ask',
    interactive: true,
    sandboxed: false,
    noSandbox: true,
    trusted: true,
    facts,
    ...options,
  })

const judge = (command: string, options: Partial<PolicyOptions> = {}) =>
  policy(options).judge({ kind: 'command', command })

/** Rows: the verdicts of modes ask, auto and plan, the command, and the verdict of each of its segments; ⏎ is a line break. */
function readTable(name: string) {
  return readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, ask, auto, plan, command, segments] = /^(\w+) +(\w+) +(\w+) +([^]*?) {2}⇒ {2}([^]*)$/.exec(line)!
      return { ask, auto, plan, command: command!.replaceAll('⏎', '\n'), segments: segments! }
    })
}

async function rowOf(command: string) {
  const verdict = async (mode: Mode) => await judge(command, { mode })
  const [ask, auto, plan] = await Promise.all([verdict('ask'), verdict('auto'), verdict('plan')])
  const segments = (ask.segments ?? []).map((segment) => `${segment.verdict} ${segment.text}`)
  return {
    ask: ask.verdict,
    auto: auto.verdict,
    plan: plan.verdict,
    command,
    segments: segments.join(' ¦ ').replaceAll('\n', '⏎'),
  }
}

describe('the tables of commands', () => {
  const ordinary = readTable('ordinary')
  const evasions = readTable('evasions')

  test('are as long as they promise to be', () => {
    expect(ordinary.length + evasions.length).toBeGreaterThanOrEqual(150)
    expect(evasions.length).toBeGreaterThanOrEqual(60)
  })

  test.each(ordinary.map((row) => [row.command, row] as const))('ordinary: %s', async (command, row) => {
    expect(await rowOf(command)).toEqual(row)
  })

  test.each(evasions.map((row) => [row.command, row] as const))('evasion: %s', async (command, row) => {
    expect(await rowOf(command)).toEqual(row)
  })

  test('no evasion runs unasked, and none at all in mode plan', () => {
    expect(evasions.filter((row) => row.ask === 'allow').map((row) => row.command)).toEqual([])
    expect(evasions.filter((row) => row.plan !== 'deny').map((row) => row.command)).toEqual([])
  })
})

describe('the blocklist', () => {
  test('is moved to a question only by the user, and then no approval is remembered', async () => {
    const block = ['sudo']
    expect(await judge('rm -rf x', { block })).toMatchObject({ verdict: 'ask', remember: [] })
    const held = policy({ block })
    held.approve({ remember: ['command: rm'] }, 'workspace')
    expect((await held.judge({ kind: 'command', command: 'rm -rf x' })).verdict).toBe('ask')
    expect((await judge('rm -rf x', { block, mode: 'auto' })).verdict).toBe('ask')
  })

  test('grows by entries of the workspace and of the user, whatever else allows them', async () => {
    const source = { file: '/w/.codehound/config.yaml', line: 3 }
    const options = {
      block: [...DEFAULT_BLOCK_LIST, 'terraform destroy'],
      blockPlace: (entry: string) =>
        entry === 'terraform destroy' ? { level: 'workspace' as const, source } : undefined,
      allow: [{ pattern: 'terraform' }],
    }
    expect(await judge('terraform -chdir=x destroy', options)).toMatchObject({
      rule: 'block: terraform destroy',
      level: 'workspace',
      source,
    })
    expect(await judge('rm -r x', options)).toMatchObject({ rule: 'block: rm -r', level: 'app' })
    expect((await judge('terraform plan', options)).verdict).toBe('allow')
  })

  test('beats an approval and a rule', async () => {
    const held = policy({ rules: [{ verdict: 'allow', kind: 'command', pattern: 'rm *', level: 'app' }] })
    held.approve({ remember: ['command: rm -rf x', 'command exactly: rm -rf x'] }, 'session')
    expect((await held.judge({ kind: 'command', command: 'rm -rf x' })).verdict).toBe('deny')
    expect((await held.judge({ kind: 'command', command: 'rm x' })).verdict).toBe('allow')
  })
})

describe('approvals', () => {
  test('of a && b store a rule for each part, and silence exactly what was shown', async () => {
    const held = policy()
    const asked = await held.judge({ kind: 'command', command: 'cargo build && cp a.ts c.ts' })
    expect(asked).toMatchObject({
      verdict: 'ask',
      remember: ['command: cargo build', 'command exactly: cp a.ts c.ts'],
    })
    held.approve(asked, 'session')
    const verdictOf = async (command: string) => (await held.judge({ kind: 'command', command })).verdict
    expect(await verdictOf('cargo build --release')).toBe('allow')
    expect(await verdictOf('FOO=1 cargo build')).toBe('allow')
    expect(await verdictOf('cp a.ts c.ts')).toBe('allow')
    expect(await verdictOf('cp a.ts c.ts /etc')).toBe('ask')
    expect(await verdictOf('cp a.ts d.ts')).toBe('ask')
    expect(await verdictOf('cargo publish')).toBe('ask')
    expect(await verdictOf('cargo build && curl x')).toBe('ask')
    expect(await verdictOf('PATH=. cargo build')).toBe('ask')
    expect(await verdictOf('./cargo build')).toBe('ask')
  })

  test('once stores nothing, of a run ends with it, of a workspace outlives the session', async () => {
    const kept: string[] = []
    const approvals = { load: () => kept, add: (text: string) => void kept.push(text), remove: () => undefined }
    const held = policy({ approvals })
    const command = 'cargo build'
    const ask = async () => (await held.judge({ kind: 'command', command })).verdict
    const asked = await held.judge({ kind: 'command', command })
    held.approve(asked, 'once')
    expect(await ask()).toBe('ask')
    held.approve(asked, 'run')
    expect(await ask()).toBe('allow')
    held.endRun()
    expect(await ask()).toBe('ask')
    held.approve(asked, 'workspace')
    expect(kept).toEqual(['command: cargo build'])
    expect((await judge(command, { approvals })).verdict).toBe('allow')
  })

  test('of an interpreter that reads its program are by prefix, since the program is another each time', async () => {
    const held = policy()
    const command = "python3 - a <<'E'\nprint(1)\nE"
    const asked = await held.judge({ kind: 'command', command })
    expect(asked).toMatchObject({ verdict: 'ask', remember: ['command: python3 -'] })
    held.approve(asked, 'session')
    expect((await held.judge({ kind: 'command', command: "python3 - b <<'E'\nprint(2)\nE" })).verdict).toBe('allow')
    for (const other of ['python3 -c 1', 'python3 x.py', 'python3'])
      expect([other, (await held.judge({ kind: 'command', command: other })).verdict]).toEqual([other, 'ask'])
  })

  test('are not offered for what cannot be read, is secret, or steers programs', async () => {
    for (const command of ['$X y', 'cat .env', 'PATH=. make', 'cargo build && $X', 'rm $X', 'echo "$(( x ))"']) {
      expect(await judge(command)).toMatchObject({ verdict: 'ask', remember: [] })
    }
  })

  test('of exactly one call of a program on the allowlist leave its other calls asking', async () => {
    const held = policy()
    held.approve(await held.judge({ kind: 'command', command: 'node -e 1' }), 'session')
    expect((await held.judge({ kind: 'command', command: 'node -e 1' })).verdict).toBe('allow')
    expect((await held.judge({ kind: 'command', command: 'node -e 2' })).verdict).toBe('ask')
  })
})

describe('rules', () => {
  const rule = { kind: 'command', level: 'app', source: { file: 'config.yaml', line: 7 } } as const

  test('name their file and line in the answer', async () => {
    const rules = [{ ...rule, verdict: 'deny' as const, pattern: 'curl *', reason: 'No network here.' }]
    expect(await judge('curl x', { rules })).toEqual({
      verdict: 'deny',
      level: 'app',
      rule: 'deny command: curl *',
      source: { file: 'config.yaml', line: 7 },
      reason: 'No network here.',
      code: 'DENIED',
      remember: [],
      readOnly: false,
      segments: [
        {
          text: 'curl x',
          via: [],
          verdict: 'deny',
          level: 'app',
          rule: 'deny command: curl *',
          source: { file: 'config.yaml', line: 7 },
          reason: 'No network here.',
          readOnly: false,
        },
      ],
    })
  })

  test('that ask win over those that allow, over the table of what only looks, and over mode auto', async () => {
    const rules = [
      { ...rule, verdict: 'allow' as const, pattern: 'git log' },
      { ...rule, verdict: 'ask' as const, pattern: 'git' },
    ]
    expect((await judge('git log', { rules })).verdict).toBe('ask')
    expect((await judge('git log', { rules, mode: 'auto' })).verdict).toBe('ask')
  })

  test('of an untrusted folder may ask and deny, not allow', async () => {
    const rules = [
      { ...rule, level: 'workspace' as const, verdict: 'allow' as const, pattern: 'evil' },
      { ...rule, level: 'workspace' as const, verdict: 'deny' as const, pattern: 'npm publish-all' },
    ]
    expect((await judge('evil', { rules, trusted: false })).verdict).toBe('ask')
    expect((await judge('evil', { rules, trusted: true })).verdict).toBe('allow')
    expect((await judge('npm publish-all', { rules, trusted: false })).verdict).toBe('deny')
    expect((await judge('evil', { allow: [{ pattern: 'evil', level: 'workspace' }], trusted: false })).verdict).toBe(
      'ask',
    )
  })

  test('of a nested folder hold only in it', async () => {
    const rules = [{ ...rule, verdict: 'allow' as const, pattern: 'make', folder: 'src' }]
    expect((await judge('make', { rules })).verdict).toBe('ask')
    expect((await judge('cd src && make', { rules })).verdict).toBe('allow')
    expect((await judge('cd "$X" && make', { rules })).verdict).toBe('ask')
  })
})

describe('configuration', () => {
  test('commands.confirm: always asks even for what only looks', async () => {
    expect((await judge('ls', { confirm: 'always' })).verdict).toBe('ask')
    expect((await judge('npm publish', { confirm: 'always' })).verdict).toBe('deny')
  })

  test('commands.askForUnknown: false refuses what no rule allows', async () => {
    expect((await judge('cargo build', { askForUnknown: false })).verdict).toBe('deny')
    expect((await judge('npm test', { askForUnknown: false })).verdict).toBe('allow')
  })

  test('in a sandbox what is on the allowlist runs, and readers may take names from the shell', async () => {
    const inside = { sandboxed: true }
    for (const command of [
      'node -e 1',
      'npx vitest --config x',
      'node changed.js',
      'find . -name x | xargs cat',
      'cat /etc/hosts',
    ]) {
      expect([command, (await judge(command, inside)).verdict]).toEqual([command, 'allow'])
    }
    for (const command of ['rm -rf x', 'npm publish']) expect((await judge(command, inside)).verdict).toBe('deny')
    for (const command of ['cargo install x', 'python3 x.py', 'cat .env', '$X'])
      expect((await judge(command, inside)).verdict).toBe('ask')
  })

  test('in mode auto-edit a redirection into the workspace applies, one out of it asks', async () => {
    const mode = 'auto-edit' as const
    expect((await judge('echo x > out.txt', { mode })).verdict).toBe('allow')
    expect((await judge('cargo build', { mode })).verdict).toBe('ask')
    expect((await judge('echo x > /etc/x', { mode })).verdict).toBe('ask')
    expect(await judge('echo x > .git/hooks/pre-commit', { mode })).toMatchObject({
      verdict: 'ask',
      warning: 'This changes configuration that can widen permissions or run commands.',
    })
  })

  const protectedWrites = [
    'cp x .husky/',
    'cp -r x/.vscode .',
    'cp tasks.json .vscode',
    'cp -t .husky x',
    'tee .exrc',
    'echo x > .vscode/tasks.json',
    'echo x >> src/.exrc',
    'cd .husky && echo x > pre-commit',
    "sed -i 's/a/b/' .exrc",
    "sed --in-place=.bak -e 's/a/b/' .git/config",
    "perl -pi -e 's/a/b/' .mcp.json",
    'mv .vscode old',
    'mv x .git/hooks/pre-commit',
    'ln -s x .exrc',
    'ln .exrc x',
    'rm .pre-commit-config.yaml',
    'dd if=x of=.exrc',
    'curl -o .exrc https://example.org',
    'sort a.ts -o .exrc',
    'git config core.fsmonitor ./x',
    'git config --unset user.name',
    'git config -f .git/config a.b c',
    'git mv x .exrc',
    'git restore .exrc',
    'env A=b tee .exrc',
    "bash -c 'echo x > .exrc'",
  ]
  test.each(protectedWrites)('what other programs run is not written unasked in any mode: %s', async (command) => {
    for (const sandboxed of [true, false]) {
      for (const mode of ['ask', 'auto-edit', 'auto'] as const) {
        const options = {
          mode,
          sandboxed,
          rules: [],
          allow: [{ pattern: command.split(' ')[0]! }],
        }
        expect(await judge(command, options)).toMatchObject({
          verdict: 'ask',
          remember: [],
          warning: expect.any(String),
        })
      }
      expect((await judge(command, { mode: 'plan', sandboxed })).verdict).toBe('deny')
    }
  })

  test.each([
    'cat .git/config',
    'ls -la .husky',
    'cp .vscode/settings.json /tmp/x',
    'cp .exrc copy.txt',
    'grep -n x .vscode/tasks.json',
    "sed -n '1p' .exrc",
    "sed -i 's/.git/x/' a.ts",
    'diff .exrc a.ts',
    'tee out.txt < .exrc',
    'mkdir -p .vscode',
    'git config --get user.name',
    'git config --global user.name x',
    'git config -l',
    'git checkout main',
    'git log -- .husky',
    'touch .gitignore .vscode/extensions.json',
  ])('what only reads them, or is not one of them, runs in auto: %s', async (command) => {
    expect([command, (await judge(command, { mode: 'auto', sandboxed: true })).verdict]).toEqual([command, 'allow'])
  })

  test('what a command writes by itself it does not run unasked, also where edits apply', async () => {
    const mode = 'auto-edit' as const
    for (const command of [
      'echo x > a.js && node a.js',
      'echo x > "$F"; node a.ts',
      `echo '{"scripts":{}}' > package.json && npm test`,
      `cd src; echo '{}' > package.json; npm run build`,
    ])
      expect([command, (await judge(command, { mode })).verdict]).toEqual([command, 'ask'])
    expect((await judge('npm test > log.txt; node a.ts 2> err.txt', { mode })).verdict).toBe('allow')
  })

  test('code of the workspace is asked about once anything it may load was changed, but in a sandbox', async () => {
    const changed = { facts: { ...facts, isCodeChanged: () => true }, mode: 'auto-edit' as const }
    for (const command of ['node a.ts', 'npm test', 'node --test', 'npx eslint .', 'npm rebuild', 'npm pack'])
      expect([command, (await judge(command, changed)).verdict]).toEqual([command, 'ask'])
    for (const command of ['npm ls', 'git status', 'tsc -p .'])
      expect([command, (await judge(command, changed)).verdict]).toEqual([command, 'allow'])
    expect((await judge('npm test', { ...changed, sandboxed: true })).verdict).toBe('allow')
  })

  test('xargs without a command prints what it reads', async () => {
    for (const command of ['xargs -a .env', 'xargs -a.env', 'ls | xargs --arg-file=/etc/hosts'])
      expect([command, (await judge(command, { mode: 'plan' })).verdict]).toEqual([command, 'deny'])
  })

  test('a workspace below a folder called .codehound is no protected folder itself', async () => {
    const root = '/home/u/.codehound/w'
    expect((await judge('echo x > out.txt', { root, mode: 'auto-edit' })).verdict).toBe('allow')
  })

  test("the model's own wish to confirm makes a question of what would run", async () => {
    const request = { kind: 'command', command: 'npm test', validationRequest: 'It writes to the database.' } as const
    expect(await policy().judge(request)).toMatchObject({
      verdict: 'ask',
      level: 'model',
      reason: 'It writes to the database.',
    })
  })

  test('a command started in a folder is judged there', async () => {
    expect((await policy().judge({ kind: 'command', command: 'cat ../.env', cwd: 'src' })).rule).toBe('secret files')
  })

  test('git runs hooks only when asked', async () => {
    const hooked = { facts: { ...facts, gitHooks: () => ['pre-commit'] } }
    const checkout = { facts: { ...facts, gitHooks: () => ['post-checkout'] } }
    expect((await judge('git checkout main', checkout)).verdict).toBe('ask')
    expect((await judge('git add a.ts', hooked)).verdict).toBe('allow')
    expect((await judge('git checkout main', { ...checkout, sandboxed: true })).verdict).toBe('allow')
  })

  test('a script of a package whose scripts changed in this session asks', async () => {
    const changed = { facts: { ...facts, scriptsChanged: (folder: string) => folder === '/w' } }
    for (const command of ['npm test', 'npm run build', 'yarn build', 'pnpm test', 'npm install']) {
      expect([command, (await judge(command, changed)).verdict]).toEqual([command, 'ask'])
    }
    expect((await judge('npm ls', changed)).verdict).toBe('allow')
  })
})

test('what bash itself cannot parse is allowed in no mode', async () => {
  const pieces = fc.constantFrom(
    ...'"\'`$(){}<>&|;\\\n '.split(''),
    'ls',
    'cat a.ts',
    '<<E\n',
    'E\n',
    'if',
    'then',
    'fi',
    '[[',
    ']]',
    '((',
    '))',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 6 }), async (parts) => {
      const command = parts.join('')
      const judged = await Promise.all((['ask', 'auto', 'plan'] as const).map((mode) => judge(command, { mode })))
      if (judged.every(({ verdict }) => verdict !== 'allow')) return
      const bash = spawnSync('/bin/bash', ['-n', '-c', command], { stdio: ['ignore', 'ignore', 'pipe'] })
      expect([command, bash.status]).toEqual([command, 0])
    }),
    { numRuns: 400 },
  )
})

describe('variables that a program obeys', () => {
  const SETTERS = [
    'for NAME in ./bin; do ls; done',
    'read NAME <<< ./bin; ls',
    'read -r x NAME <<< "a ./bin"; ls',
    'echo ./bin | while read NAME; do ls; done',
    'while read -ra NAME; do ls; done < a.ts',
    'select NAME in ./bin; do ls; done',
    'getopts a: NAME -a ./bin; ls',
    'mapfile -t NAME < a.ts; ls',
    'readarray NAME < a.ts; ls',
    'printf -v NAME %s ./bin; ls',
    'printf -vNAME %s ./bin; ls',
    'declare NAME=./bin; ls',
    'declare -x NAME; ls',
    'typeset NAME=./bin; ls',
    'export NAME=./bin; ls',
    'export NAME; ls',
    'readonly NAME=./bin; ls',
    'f() { local NAME=./bin; ls; }; f',
    'let NAME=1; ls',
    '(( NAME = 1 )); ls',
    'echo $(( NAME++ )); ls',
    'for ((NAME = 0; NAME < 1; NAME++)); do ls; done',
    ': ${NAME:=./bin}; ls',
    ': "${NAME=./bin}"; ls',
    'ls {NAME}> /dev/null; ls',
    'wait -p NAME; ls',
    'unset NAME; ls',
    'NAME=./bin; ls',
    'NAME+=:./bin; ls',
    'NAME=(./bin); ls',
    'NAME=./bin ls',
    'env NAME=./bin ls',
    'builtin read NAME <<< ./bin; ls',
    'command export NAME=./bin; ls',
    "eval 'NAME=./bin'; ls",
    "eval 'read NAME <<< ./bin'; ls",
    "trap 'NAME=./bin' EXIT; ls",
    'if read NAME < a.ts; then ls; fi',
    'echo "$(read NAME <<< x; ls)"',
  ]
  const NAMES =
    'PATH BASH_ENV ENV PS4 PROMPT_COMMAND LD_PRELOAD LD_LIBRARY_PATH GIT_DIR GIT_EXTERNAL_DIFF RIPGREP_CONFIG_PATH NODE_OPTIONS PAGER EDITOR CDPATH HOME TMPDIR SHELLOPTS BASHOPTS GLOBIGNORE EXECIGNORE POSIXLY_CORRECT LC_ALL PYTHONPATH npm_config_registry http_proxy'.split(
      ' ',
    )

  test.each(SETTERS)('%s', async (setter) => {
    for (const name of NAMES) {
      const command = setter.replaceAll('NAME', name)
      const [ask, plan] = [await judge(command), await judge(command, { mode: 'plan' })]
      expect({ command, ask: ask.verdict, plan: plan.verdict }).toEqual({ command, ask: 'ask', plan: 'deny' })
      expect(ask.remember).toEqual([])
    }
  })

  test('of a name that is only known to the shell are asked about', async () => {
    for (const command of [
      'read $x; ls',
      'printf -v "$x" y; ls',
      'declare $x; ls',
      'export "$x"; ls',
      'unset $x; ls',
    ]) {
      expect({ command, verdict: (await judge(command, { mode: 'plan' })).verdict }).toEqual({
        command,
        verdict: 'deny',
      })
    }
  })

  test('are not those of ordinary loops', async () => {
    for (const command of [
      'for f in *.ts; do wc -l "$f"; done',
      'for i in {1..3}; do echo "$i"; done',
      'while read -r line; do echo "$line"; done < a.ts',
      'while IFS= read -r line; do echo "$line"; done < a.ts',
      'n=0; for f in *.ts; do n=$((n + 1)); done; echo "$n"',
      'for ((i = 0; i < 3; i++)); do echo "$i"; done',
      'LC_ALL=C sort a.ts',
      'TZ=UTC date',
      'x=$(git rev-parse HEAD); echo "$x"',
      'files=(a.ts src/b.ts); wc -l "${files[@]}"',
      'COUNT=0; echo "$COUNT"',
    ]) {
      expect({ command, verdict: (await judge(command, { mode: 'plan' })).verdict }).toEqual({
        command,
        verdict: 'allow',
      })
    }
  })

  test('in mode plan a name that no list has is harmless only where no program gets it', async () => {
    expect((await judge('FOO=1 ls', { mode: 'plan' })).verdict).toBe('deny')
    expect((await judge('export FOO=1; ls', { mode: 'plan' })).verdict).toBe('deny')
    expect((await judge('FOO=1; ls', { mode: 'plan' })).verdict).toBe('allow')
    const held = { ...facts, isInEnvironment: (name: string) => name === 'FOO' }
    expect((await judge('FOO=1; ls', { mode: 'plan', facts: held })).verdict).toBe('deny')
    expect((await judge('read FOO < a.ts; ls', { mode: 'plan', facts: held })).verdict).toBe('deny')
    expect((await judge('FOO=1 npm test')).verdict).toBe('allow')
  })
})

describe('what bash reads otherwise than it looks', () => {
  test.each([
    "ls $'\\\\'; touch c #'",
    "ls >& '$(touch c)'",
    'eval -- touch c',
    "trap -- 'touch c' EXIT",
    'false || cd src && cat ../b',
    '! cd nowhere && cat ../b',
    "ls $'a\\'b'; touch c #'",
    'ls "${x:-"}"; touch c #"}"',
    'ls \\\n; touch c',
    'ls <<\\E; touch c\nE\n',
    "ls $'\\'' ; touch c",
    'ls `echo "`"; touch c`',
    'echo ${x:-$(touch c)}',
    'x=$(head -1 a.ts); [ $x ]',
    "x='a[$(touch c)]'; echo $((x))",
    "x='a[$(touch c)]'; [[ $x -eq 1 ]]",
    "declare -i x='a[$(touch c)]'",
    'set -k; ls',
    'set -o posix; ls',
    'jobs -x touch c',
    "mapfile -C 'touch c' -c 1 x < a.ts",
    'zsh -c "ls =(touch c)"',
    "fish -c 'ls (touch c)'",
    "sh -c 'ls $'\\''\\\\'\\''; touch c #'",
    'cd() { :; }; cd src; ls',
    'bash -O extglob -c ls',
    'ls\u00a0; touch c',
  ])('%j is asked about, and refused in mode plan', async (command) => {
    expect((await judge(command, { mode: 'plan' })).verdict).toBe('deny')
    expect((await judge(command)).verdict).not.toBe('allow')
  })

  test('a folder is only known where it is certain that cd came to pass', async () => {
    for (const command of [
      'cd nowhere; cat ../x',
      'false && cd src; cat b.ts',
      'for i in 1 2; do cat ../a.ts; cd src; done',
      'f() { cd ..; }; f; cat a.ts',
      'eval "cd .."; cat a.ts',
      'pushd ..; cat a.ts',
      'if true; then cd ..; fi; cat a.ts',
    ]) {
      expect({ command, verdict: (await judge(command, { mode: 'plan' })).verdict }).toEqual({
        command,
        verdict: 'deny',
      })
    }
    expect((await judge('cd src && cat b.ts; cat b.ts', { mode: 'plan' })).verdict).toBe('allow')
  })
})
