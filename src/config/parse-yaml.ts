import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { configError, type ParsedFile } from './read-file.ts'

/** Parses YAML and notes the line of each key. Throws UserError `config` with the line of the first fault. */
export function parseYaml(text: string, file: string): ParsedFile {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [fault] = document.errors
  if (fault !== undefined) {
    const { line } = lineCounter.linePos(fault.pos[0])
    throw configError(`${file}:${line}: ${fault.message}`, 'Mend the YAML at that line.')
  }
  const lines: Record<string, number> = {}
  const walk = (node: Node | null | undefined, path: string[]): void => {
    if (isMap(node))
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : String(key)
        const here = [...path, name]
        const start = (key as Node).range?.[0]
        if (start !== undefined) lines[here.join('\0')] = lineCounter.linePos(start).line
        walk(value as Node | null, here)
      }
    else if (isSeq(node))
      node.items.forEach((item, at) => {
        const here = [...path, String(at)]
        const start = (item as Node).range?.[0]
        if (start !== undefined) lines[here.join('\0')] = lineCounter.linePos(start).line
        walk(item as Node, here)
      })
  }
  walk(document.contents, [])
  return { value: document.toJS() as unknown, lines }
}
