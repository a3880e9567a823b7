import type { Node } from 'web-tree-sitter'

export interface Heredoc {
  /** The text the command reads; undefined when something in it expands. */
  text?: string
  /** Why it cannot be judged. */
  fault?: string
  /** What stands on the same line after the delimiter. */
  rest: readonly Node[]
}

const START = /^(?:'(\w+)'|"(\w+)"|\\?(\w+))$/

/**
 * Reads a here-document. Its end is looked for in the text itself and must be where the grammar found it: a command
 * must never be taken for text.
 */
export function readHeredoc(node: Node, source: string): Heredoc {
  const start = node.children.find((child) => child?.type === 'heredoc_start')
  const end = node.children.find((child) => child?.type === 'heredoc_end')
  const rest = node.children.filter(
    (child): child is Node => child !== null && child.isNamed && !/^heredoc_|^file_descriptor$/.test(child.type),
  )
  const tabs = node.children.some((child) => child?.type === '<<-')
  const found = START.exec(start?.text ?? '')
  if (!start || !end || !found) return { rest, fault: 'a here-document that is not understood' }
  const delimiter = (found[1] ?? found[2] ?? found[3])!
  const quoted = start.text !== delimiter
  // The body starts on the line after the delimiter, whatever else stands on that line.
  const lineEnd = source.indexOf('\n', start.endIndex)
  if (lineEnd < 0) return { rest, fault: 'a here-document without a body' }
  if (/<<|\\$|\(/.test(source.slice(start.endIndex, lineEnd))) {
    return { rest, fault: 'a line with two here-documents, or one that goes on' }
  }
  let at = lineEnd + 1
  const lines: string[] = []
  for (;;) {
    const stop = source.indexOf('\n', at)
    const raw = source.slice(at, stop < 0 ? source.length : stop)
    const line = tabs ? raw.replace(/^\t+/, '') : raw
    if (line === delimiter) {
      if (end.startIndex !== at + raw.length - delimiter.length) break
      const text = lines.map((each) => `${each}\n`).join('')
      if (quoted) return { rest, text }
      if (!/[$`\\]/.test(text)) return { rest, text }
      return substitutionsSeen(node, text) ? { rest } : { rest, fault: 'a here-document that runs commands' }
    }
    if (stop < 0) break
    lines.push(line)
    at = stop + 1
  }
  return { rest, fault: 'a here-document whose end is not clear' }
}

/** The grammar must have found as many substitutions as the text opens; it is asked because bash runs them. */
function substitutionsSeen(node: Node, text: string): boolean {
  const body = node.children.find((child) => child?.type === 'heredoc_body')
  const found = body?.descendantsOfType('command_substitution').length ?? 0
  const opened = text.replaceAll(/\\[^]/g, '').match(/\$\(|`|\$\{[^}]*[^\w}]|\$\[/g) ?? []
  return opened.length === found && !opened.some((each) => each !== '$(')
}
