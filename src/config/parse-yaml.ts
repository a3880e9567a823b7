import { isTooDeepValue, TOO_DEEP } from '../lib/foreign-json.ts'
import { isDocument, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, YAMLParseError } from 'yaml'
import type { ParsedFile, SecretPlace } from './parsed-file.ts'
import { configError } from './read-file.ts'

/** Keys whose literal values stay in their file; so does a URL with a password in it. */
const SECRET_KEY = /^(api_?key|headers)$/i
const URL_WITH_PASSWORD = /:\/\/[^/]*@/

/** Parses YAML and notes the line of each key. Throws UserError `config` with the line of the first fault. */
export function parseYaml(text: string, file: string): ParsedFile {
  const lineCounter = new LineCounter()
  const document = withinDepth(file, () => parseDocument(text, { lineCounter, prettyErrors: false }))
  const [fault] = document.errors
  if (isExhausted(fault)) throw tooDeep(file, fault)
  if (fault !== undefined) {
    const { line } = lineCounter.linePos(fault.pos[0])
    throw configError(`${file}:${line}: ${fault.message}`, 'Mend the YAML at that line.')
  }
  const value = withinDepth(file, () => document.toJS() as unknown)
  const lines: Record<string, number> = {}
  const secrets: (SecretPlace | undefined)[] = []
  const walk = (node: Node | null | undefined, path: string[], secret: boolean): void => {
    const noteLine = (at: Node | null | undefined, here: string[]): void => {
      if (at?.range) lines[here.join('\0')] = lineCounter.linePos(at.range[0]).line
    }
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : String(key)
        const here = [...path, name]
        noteLine(key as Node, here)
        walk(value as Node | null, here, secret || SECRET_KEY.test(name))
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, at) => {
        const here = [...path, String(at)]
        noteLine(item as Node, here)
        walk(item as Node, here, secret)
      })
    } else if (isScalar(node)) {
      if (isSecret(node.value, secret)) secrets.push(placeOf(node.value, node, text, path))
    } else if (node) secrets.push(undefined) // An alias: what it stands for is not followed.
  }
  walk(document.contents, [], false)
  const known = secrets.filter((each) => each !== undefined)
  return {
    value,
    lines,
    ...(known.length === secrets.length ? { secrets: known } : {}),
  }
}

/** What `read` makes of a text. Throws UserError `config` for one that is nested too deep. */
export function withinDepth<T>(where: string, read: () => T): T {
  let value: T
  try {
    value = read()
  } catch (error) {
    if (isExhausted(error)) throw tooDeep(where, error)
    throw error
  }
  if (!isDocument(value) && isTooDeepValue(value)) throw tooDeep(where)
  return value
}

/** The YAML library calls itself for every level, and reports the end of the stack in one way or the other. */
const isExhausted = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof YAMLParseError && error.code === 'RESOURCE_EXHAUSTION')

const tooDeep = (where: string, cause?: unknown): Error =>
  configError(`${where}: the value is ${TOO_DEEP}`, 'No key of the configuration is; take it out.', cause)

function isSecret(value: unknown, secret: boolean): value is string {
  return typeof value === 'string' && ((secret && !value.startsWith('${')) || URL_WITH_PASSWORD.test(value))
}

/** Where the text holds the value as it is; undefined when it is written with escapes or over several lines. */
function placeOf(value: string, { range }: Node, text: string, path: string[]): SecretPlace | undefined {
  if (!range) return undefined
  for (const [start, end] of [
    [range[0], range[1]],
    [range[0] + 1, range[1] - 1],
  ] as const)
    if (text.slice(start, end) === value) return { path, start, end }
  return undefined
}
