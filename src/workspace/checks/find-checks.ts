import { parseForeignJson } from '../../lib/foreign-json.ts'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** One program to run over the files of a turn. */
export interface Check {
  /** As it is named in findings: `eslint`, or the configured command. */
  name: string
  /** A text for the shell, or an argv. */
  command: string | readonly string[]
}

interface Manifest {
  scripts?: Record<string, unknown>
  dependencies?: Record<string, unknown>
  devDependencies?: Record<string, unknown>
}

interface Known {
  package: string
  program: string
  args: readonly string[]
}

const CODE = new Set(['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts'])
/** The first of each list that the project has is taken. */
const FORMATTERS: readonly Known[] = [
  { package: 'prettier', program: 'prettier', args: ['--write', '--ignore-unknown', '--log-level', 'warn', '--'] },
  { package: '@biomejs/biome', program: 'biome', args: ['format', '--write', '--no-errors-on-unmatched'] },
  { package: 'oxfmt', program: 'oxfmt', args: [] },
]
const LINTERS: readonly Known[] = [
  { package: 'eslint', program: 'eslint', args: ['--'] },
  { package: '@biomejs/biome', program: 'biome', args: ['lint', '--no-errors-on-unmatched'] },
  { package: 'oxlint', program: 'oxlint', args: [] },
]
const TYPE_SCRIPTS = ['typecheck', 'type-check', 'check-types', 'tsc']

/**
 * The checks to run over files (relative to the root) after an edit, formatter first: what package.json says (`auto`), or
 * the commands given, in which `{files}` stands for the files. None where nothing is found.
 */
export function findChecks(
  root: string,
  setting: 'auto' | 'off' | readonly string[],
  files: readonly string[],
): Check[] {
  if (setting === 'off' || files.length === 0) return []
  if (setting !== 'auto') {
    const quoted = files.map((file) => `'${file.replaceAll("'", `'\\''`)}'`).join(' ')
    return setting.map((command) => ({ name: command, command: command.replaceAll('{files}', () => quoted) }))
  }
  const manifest = readManifest(root)
  if (manifest === undefined) return []
  const code = files.filter((file) => CODE.has(extname(file)))
  const found = [oneOf(FORMATTERS, files, root, manifest), oneOf(LINTERS, code, root, manifest)]
  return [...found, code.length === 0 ? undefined : typeCheck(root, manifest)].filter((check) => check !== undefined)
}

function readManifest(root: string): Manifest | undefined {
  try {
    return parseForeignJson(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

const programIn = (root: string, name: string): string => join(root, 'node_modules', '.bin', name)

/** Named in package.json and installed. */
function has(name: string, program: string, root: string, { dependencies, devDependencies }: Manifest): boolean {
  return name in { ...dependencies, ...devDependencies } && existsSync(programIn(root, program))
}

function oneOf(known: readonly Known[], files: readonly string[], root: string, manifest: Manifest): Check | undefined {
  const tool = known.find((each) => has(each.package, each.program, root, manifest))
  if (!tool || files.length === 0) return undefined
  // A name that starts with a dash would be an option.
  const paths = files.map((file) => `./${file}`)
  return { name: tool.program, command: [programIn(root, tool.program), ...tool.args, ...paths] }
}

function typeCheck(root: string, manifest: Manifest): Check | undefined {
  const script = TYPE_SCRIPTS.find((name) => typeof manifest.scripts?.[name] === 'string')
  if (script !== undefined) return { name: `npm run ${script}`, command: ['npm', 'run', '--silent', script] }
  if (!has('typescript', 'tsc', root, manifest) || !existsSync(join(root, 'tsconfig.json'))) return undefined
  return { name: 'tsc', command: [programIn(root, 'tsc'), '--noEmit', '--pretty', 'false'] }
}
