// Promises a YAML text with one key changed and every other byte as it was, wherever the text allows it; else the YAML
// library writes the whole anew, which keeps comments but not every space. The result always means what was asked for.
import { isDeepStrictEqual } from 'node:util'
import { type Document, isAlias, isMap, isNode, isScalar, parseDocument, stringify, type YAMLMap } from 'yaml'

/** Sets the value at a path; groups on the way are made. */
export function setInText(text: string, path: readonly string[], value: unknown): string {
  const document = parseDocument(text)
  const replaced = replaceValue(text, document, path, value) ?? addKey(text, document, path, value)
  put(document, path, value)
  return sameMeaning(replaced, document) ? replaced : document.toString({ lineWidth: 0 })
}

/** Takes a key out; undefined when it is not there. */
export function unsetInText(text: string, path: readonly string[]): string | undefined {
  const document = parseDocument(text)
  if (!document.hasIn(path)) return undefined
  const removed = removeLines(text, document, path)
  document.deleteIn(path)
  return sameMeaning(removed, document) ? removed : document.toString({ lineWidth: 0 })
}

function sameMeaning(text: string | undefined, wanted: Document): text is string {
  if (text === undefined) return false
  const document = parseDocument(text)
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS(), wanted.toJS())
}

/** As `Document.setIn`, but a key without a value is a group that is empty. */
function put(document: Document, path: readonly string[], value: unknown): void {
  for (let depth = 1; depth < path.length; depth++) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isAlias(node)) throw new Error(`${path.slice(0, depth).join('.')} is an alias (*${node.source})`)
    if (isMap(node) || node === undefined) continue
    document.setIn(path.slice(0, depth), document.createNode(nest(path.slice(depth), value)))
    return
  }
  document.setIn(path, document.createNode(value))
}

/** One line of YAML that stands in any place a value can. */
function inline(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd()
}

function replaceValue(text: string, document: Document, path: readonly string[], value: unknown): string | undefined {
  const node = document.getIn(path, true)
  if (!isNode(node) || !node.range || node.range[0] === node.range[1]) return undefined
  // The range of a list or group in lines of its own reaches over the empty lines behind it.
  const old = text.slice(node.range[0], node.range[1])
  return text.slice(0, node.range[0]) + inline(value) + text.slice(node.range[0] + old.trimEnd().length)
}

/** Adds the key under the last one of the deepest group that is there, when that stands in lines of its own. */
function addKey(text: string, document: Document, path: readonly string[], value: unknown): string | undefined {
  let depth = path.length - 1
  while (depth > 0 && !isMap(document.getIn(path.slice(0, depth)))) depth--
  const group = depth === 0 ? document.contents : document.getIn(path.slice(0, depth))
  if (!isMap(group) || group.flow === true) return undefined
  const indentation = indentationOf(text, group)
  const end = endOfPair(text, group, group.items.length - 1)
  if (indentation === undefined || end === undefined) return undefined
  const added = stringify(nest(path.slice(depth), value), { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => indentation + line)
    .join('\n')
  const before = text.slice(0, end)
  return `${before}${before.endsWith('\n') ? '' : '\n'}${added}\n${text.slice(end)}`
}

function removeLines(text: string, document: Document, path: readonly string[]): string | undefined {
  const group = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1))
  if (!isMap(group) || group.flow === true || group.items.length < 2) return undefined
  const at = group.items.findIndex((item) => isScalar(item.key) && String(item.key.value) === path.at(-1))
  const start = startOfPair(group, at)
  const end = endOfPair(text, group, at)
  if (start === undefined || end === undefined) return undefined
  return text.slice(0, text.lastIndexOf('\n', start - 1) + 1) + text.slice(end)
}

function indentationOf(text: string, group: YAMLMap): string | undefined {
  const start = startOfPair(group, 0)
  if (start === undefined) return undefined
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^ *$/.test(before) ? before : undefined
}

function startOfPair(group: YAMLMap, at: number): number | undefined {
  const key = group.items[at]?.key
  return isNode(key) ? key.range?.[0] : undefined
}

/** The place behind the last line of a pair, its comment included. */
function endOfPair(text: string, group: YAMLMap, at: number): number | undefined {
  const { key, value } = group.items[at] ?? {}
  const last = isNode(value) ? value : key
  const rangeEnd = isNode(last) ? last.range?.[1] : undefined
  if (rangeEnd === undefined) return undefined
  const end = text.slice(0, rangeEnd).trimEnd().length
  const lineEnd = text.indexOf('\n', end)
  return lineEnd === -1 ? text.length : lineEnd + 1
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}
