import type { Node, Parser } from 'web-tree-sitter'
import { loadGrammar, loadTreeSitter } from '../lib/grammar.ts'
import type { SyntaxFault } from './tool.ts'

/** Characters of the text at a fault that are shown. */
const SHOWN = 40

/** Finds the first place where a tree-sitter grammar gives up. One parser, made when first needed. */
export function createSyntaxNodeFinder(): (grammar: string, text: string) => Promise<SyntaxFault | undefined> {
  let parser: Parser | undefined
  return async (grammar, text) => {
    const [{ Parser }, language] = await Promise.all([loadTreeSitter(), loadGrammar(grammar)])
    parser ??= new Parser()
    parser.setLanguage(language)
    const tree = parser.parse(text)
    if (!tree) return undefined
    try {
      const node = tree.rootNode.hasError ? firstFault(tree.rootNode) : undefined
      if (!node) return undefined
      const { row, column } = node.startPosition
      const found = node.text.split('\n', 1)[0]!.slice(0, SHOWN)
      const message = node.isMissing ? `missing ${node.type}` : `unexpected ${JSON.stringify(found)}`
      return { line: row + 1, column: column + 1, message }
    } finally {
      tree.delete()
    }
  }
}

function firstFault(node: Node): Node | undefined {
  if (node.isError || node.isMissing) return node
  for (const child of node.children) {
    if (!child?.hasError && !child?.isMissing) continue
    const found = firstFault(child)
    if (found) return found
  }
  return undefined
}
