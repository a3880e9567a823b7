// Tells whether a text parses as what its file's name says, with the parsers the index uses. Promises: no word about a text
// whose language it does not know or that is too large; never throws. A grammar that takes macros or templates for faults
// (C, C++, shell, HTML) is not asked: a false fault costs the model a turn.
import { createSyntaxNodeFinder } from './syntax-tree.ts'
import type { SyntaxCheck, SyntaxFault } from './tool.ts'

/** Characters above which a text is data and not worth the time. */
const LARGEST = 1_000_000

const SCRIPT = /\.[cm]?[jt]sx?$/i
const JSON_FILE = /\.json$/i
/** JSON by name, with comments by habit. */
const JSON_WITH_COMMENTS =
  /(?:^|\/)(?:(?:ts|js)config[^/]*|\.eslintrc|\.babelrc|api-extractor|devcontainer)\.json$|(?:^|\/)\.vscode\//i
const YAML_FILE = /\.ya?ml$/i
const GRAMMARS: [string, RegExp][] = [
  ['python', /\.pyi?$/i],
  ['go', /\.go$/i],
  ['rust', /\.rs$/i],
  ['java', /\.java$/i],
  ['ruby', /\.rb$/i],
  ['php', /\.php$/i],
  ['csharp', /\.cs$/i],
]

/** Makes the check; parsers are loaded when a file first needs them. */
export function createSyntaxCheck(): SyntaxCheck {
  const findNode = createSyntaxNodeFinder()
  return async (path, text) => {
    if (text.length > LARGEST) return undefined
    try {
      if (SCRIPT.test(path)) return await scriptFault(path, text)
      if (JSON_FILE.test(path) && !JSON_WITH_COMMENTS.test(path)) return jsonFault(text)
      if (YAML_FILE.test(path)) return await yamlFault(text)
      const grammar = GRAMMARS.find(([, pattern]) => pattern.test(path))?.[0]
      return grammar === undefined ? undefined : await findNode(grammar, text)
    } catch {
      // A parser that is missing or fails says nothing about the text.
      return undefined
    }
  }
}

async function scriptFault(path: string, text: string): Promise<SyntaxFault | undefined> {
  const { parseSync } = await import('oxc-parser')
  const first = attempt(path)
  // A .js file may hold JSX or types that its tools strip: it is only faulty when it is none of these either.
  if (!first || !/\.[cm]?js$/i.test(path)) return first
  return attempt(`${path}x`) && attempt(path.replace(/js$/i, 'tsx')) && first

  function attempt(name: string): SyntaxFault | undefined {
    const error = parseSync(name, text).errors.find(({ severity }) => /^error$/i.test(severity))
    return error && { ...placeOf(text, error.labels[0]?.start ?? 0), message: error.message }
  }
}

function jsonFault(text: string): SyntaxFault | undefined {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return undefined
  } catch (error) {
    const { message } = error as Error
    const offset = /at position (\d+)/.exec(message)?.[1]
    const at = offset === undefined ? text.length : Number(offset)
    return { ...placeOf(text, at), message: message.replace(/ in JSON at position.*$/s, '') }
  }
}

async function yamlFault(text: string): Promise<SyntaxFault | undefined> {
  const { firstYamlError } = await import('../config/yaml-text.ts')
  const error = firstYamlError(text)
  return error && { ...placeOf(text, error.offset), message: error.message }
}

/** Line and column of an offset, 1-based. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}
