import { defineConfig } from 'oxlint'

// The house, from the ground up: a folder may import from folders that stand before it in its own row
// of `allowed`, and from nothing else. See ARCHITECTURE.md, "Which way an import may look".
const allowed: Record<string, string[]> = {
  lib: [],
  protocol: ['lib'],
  config: ['protocol', 'lib'],
  store: ['config', 'protocol', 'lib'],
  workspace: ['store', 'config', 'protocol', 'lib'],
  index: ['workspace', 'store', 'config', 'protocol', 'lib'],
  policy: ['workspace', 'store', 'config', 'protocol', 'lib'],
  model: ['store', 'config', 'protocol', 'lib'],
  tools: ['policy', 'index', 'workspace', 'store', 'config', 'protocol', 'lib'],
  agent: ['model', 'tools', 'policy', 'index', 'workspace', 'store', 'config', 'protocol', 'lib'],
  session: ['agent', 'model', 'tools', 'policy', 'index', 'workspace', 'store', 'config', 'protocol', 'lib'],
  client: ['session', 'config', 'protocol', 'lib'],
  commands: [
    'client',
    'session',
    'agent',
    'model',
    'tools',
    'policy',
    'index',
    'workspace',
    'store',
    'config',
    'protocol',
    'lib',
  ],
  tui: ['client', 'protocol', 'lib'],
}
const folders = Object.keys(allowed)

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    // The compiler knows which switches are exhaustive; this rule does not.
    'typescript/consistent-return': 'off',
  },
  ignorePatterns: ['dist', 'coverage', 'test/fixtures', 'src/demo/project', 'bench/corpora'],
  overrides: folders.map((folder) => ({
    files: [`src/${folder}/**/*.{ts,tsx}`],
    excludeFiles: ['**/*.test.ts', '**/*.test.tsx'],
    rules: {
      'no-restricted-imports': [
        'error' as const,
        {
          patterns: folders
            .filter((other) => other !== folder && !allowed[folder]!.includes(other))
            .map((other) => ({
              regex: `^(\\.\\./)+${other}/`,
              // The one upward import: a port's type, by the folder that implements it.
              allowTypeImports: folder === 'store' || folder === 'model',
              message: `src/${folder} must not import src/${other}: imports point down (ARCHITECTURE.md). Take what you need as an argument, or move the shared part below src/${folder}.`,
            }))
            .concat([
              {
                regex: '^(\\.\\./)+(app|cli)(/|\\.ts)',
                allowTypeImports: false,
                message: `src/${folder} must not import the composition root: take the port as an argument.`,
              },
            ]),
        },
      ],
    },
  })),
})
