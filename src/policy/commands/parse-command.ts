// Reads a command text into the simple commands it would run, with the grammar of bash.
// Promises: every construct it does not know, and every character the grammar left out, becomes a problem; nothing is
// skipped. Does not promise to know values: what only the shell will know is a word without a value.
import type { Parser } from 'web-tree-sitter'
import { parsePlainCommand } from './plain-command.ts'
import { CommandWalk } from './command-walk.ts'
import type { Analysis } from './segment.ts'

export interface ParseOptions {
  /** Value of `~` and `$HOME`. */
  home?: string
  /** Tells whether a folder, relative to where the command starts or absolute, exists: then `cd` to it succeeds. */
  folderExists?: (folder: string) => boolean
}

export type CommandParser = (command: string, options?: ParseOptions) => Analysis

/** Characters of a command text; longer ones are asked about unread. */
const MAX_LENGTH = 100_000

let parser: Promise<CommandParser> | undefined

/** Loads the grammar once per process (20–40 ms) and returns the parser. */
export function loadCommandParser(): Promise<CommandParser> {
  parser ??= import('../../lib/grammar.ts').then(async ({ loadGrammar, loadTreeSitter }) => {
    const [{ Parser }, language] = await Promise.all([loadTreeSitter(), loadGrammar('bash')])
    const treeSitter = new Parser().setLanguage(language)
    return (command, options = {}) => parsePlainCommand(command) ?? parseWithGrammar(treeSitter, command, options)
  })
  return parser
}

/** Parses with the grammar even what needs none; for the comparison of the two. */
export function parseWithGrammar(treeSitter: Parser, command: string, options: ParseOptions): Analysis {
  const unread = (reason: string): Analysis => ({ segments: [], problems: [{ reason, hides: true }] })
  if (command.length > MAX_LENGTH) return unread(`the command is longer than ${MAX_LENGTH} characters`)
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(command)) return unread('the command holds control characters')
  const tree = treeSitter.parse(command)
  if (!tree) return unread('the command could not be parsed')
  try {
    if (tree.rootNode.hasError) return unread('the command could not be parsed')
    const walk = new CommandWalk(command, options)
    walk.run(tree.rootNode)
    return { segments: walk.segments, problems: walk.problems }
  } finally {
    tree.delete()
  }
}
