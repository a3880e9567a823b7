import { expect, test } from 'vitest'
import { detectRunner, testCommand, type ProjectFiles } from './test-runners.ts'

const files = (names: string[], more: Partial<ProjectFiles> = {}): ProjectFiles => ({
  names,
  packageJson: undefined,
  makefile: undefined,
  pyproject: undefined,
  ...more,
})
const npm = (
  test: string | undefined,
  devDependencies: Record<string, string> = {},
  names: string[] = [],
): ProjectFiles =>
  files(['package.json', ...names], {
    packageJson: JSON.stringify({ scripts: test === undefined ? {} : { test }, devDependencies }),
  })

test('the runner is found in the test script, then in the dependencies, then in the files', () => {
  const found = [
    npm('vitest run'),
    npm('tsc && jest --ci', { vitest: '1' }),
    npm('mocha --recursive', {}, ['pnpm-lock.yaml']),
    npm('node --import tsx --test', {}, ['yarn.lock']),
    npm('playwright test', {}, ['bun.lock']),
    npm('./check.sh', { vitest: '1' }),
    npm('./check.sh'),
    npm('echo "Error: no test specified" && exit 1', { jest: '29' }),
    npm(undefined, { '@playwright/test': '1' }),
    npm(undefined),
    files(['deno.json']),
    files(['go.mod']),
    files(['Cargo.toml']),
    files([], { pyproject: '[project]' }),
    files(['test_a.py']),
    files(['Makefile'], { makefile: 'all:\n\ntest: all\n\t./t\n' }),
    files(['Makefile'], { makefile: 'all:\n' }),
    files(['pom.xml', 'mvnw']),
    files(['a.test.mjs']),
    files(['README.md']),
  ].map((each) => detectRunner(each))
  expect(found.map((each) => each && `${each.name}: ${each.command}`)).toEqual([
    'vitest: npm test',
    'jest: npm test',
    'mocha: pnpm test',
    'node: yarn test',
    'playwright: bun run test',
    'vitest: npm test',
    'script: npm test',
    'jest: npx jest',
    'playwright: npx playwright test',
    undefined,
    'deno: deno test',
    'go: go test ./...',
    'cargo: cargo test',
    'pytest: python3 -m pytest -q',
    'pytest: python3 -m pytest -q',
    'make: make test',
    undefined,
    'maven: ./mvnw -q test',
    'node: node --test',
    undefined,
  ])
})

test('path and filter are passed on in the way of each runner, quoted for the shell', () => {
  const command = (project: ProjectFiles, asked: { path?: string; filter?: string }): string => {
    const made = testCommand(detectRunner(project)!, asked)
    return typeof made === 'string' ? `refused: ${made}` : made.command
  }
  const both = { path: 'src/a b.test.ts', filter: "it's $HOME" }
  expect([
    command(npm('vitest run'), {}),
    command(npm('vitest run'), both),
    command(npm('jest'), { filter: 'adds' }),
    command(npm('mocha'), { path: 'test/a.js', filter: 'x' }),
    command(npm('node --test'), both),
    command(files(['pytest.ini']), { path: 'tests/test_a.py', filter: 'one and two' }),
    command(files(['go.mod']), { path: 'pkg/sum/sum_test.go', filter: 'TestAdd' }),
    command(files(['go.mod']), {}),
    command(files(['Cargo.toml']), { filter: 'adds' }),
  ]).toEqual([
    'npm test',
    String.raw`npx vitest run -t 'it'\''s $HOME' 'src/a b.test.ts'`,
    'npx jest -t adds',
    'npx mocha -g x test/a.js',
    String.raw`node --test --test-name-pattern 'it'\''s $HOME' 'src/a b.test.ts'`,
    "python3 -m pytest -q -k 'one and two' tests/test_a.py",
    'go test -v -run TestAdd ./pkg/sum',
    'go test -v ./...',
    'cargo test adds',
  ])
  expect(command(files(['Cargo.toml']), { path: 'src/a.rs' })).toContain('takes no path')
  expect(command(files(['Makefile'], { makefile: 'test:\n' }), { filter: 'x' })).toContain('neither path nor filter')
})

test('a path that looks like an option is not taken for one', () => {
  const made = testCommand({ name: 'vitest', command: 'npm test' }, { path: '--config=evil.ts' })
  expect(made).toEqual({ command: 'npx vitest run ./--config=evil.ts' })
})
