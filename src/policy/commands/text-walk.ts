import type { Node } from 'web-tree-sitter'
import type { ParseOptions } from './parse-command.ts'
import { readWord, type WordContext } from './parse-word.ts'
import type { Problem, Redirect, Segment, Word } from './segment.ts'

/** Where in the text the walk is. */
export interface Place {
  via: readonly string[]
  stdin: Segment['stdin']
}

/** Nodes that are words, or parts of one: two of them without space between are one word to bash. */
const WORD_NODES = new Set(
  'word number string raw_string ansi_c_string translated_string concatenation simple_expansion expansion command_substitution process_substitution arithmetic_expansion brace_expression extglob_pattern command_name variable_assignment'.split(
    ' ',
  ),
)

/** Nodes that end with their line, unless it ends in a backslash. */
const ONE_LINE = new Set(
  'command declaration_command unset_command variable_assignment variable_assignments file_redirect herestring_redirect redirected_statement concatenation negated_command'.split(
    ' ',
  ),
)

/** What every part of the walk over a command's syntax tree shares: what it found, where it is, and its doubts. */
export abstract class TextWalk {
  readonly segments: Segment[] = []
  readonly problems: Problem[] = []
  /** Variables set so far, by assignment, `for` or `read`, that may be printed. */
  protected readonly variables = new Set<string>()
  protected folder: string | undefined = '.'
  protected readonly source: string
  protected readonly options: ParseOptions

  constructor(source: string, options: ParseOptions) {
    this.source = source
    this.options = options
  }

  protected problem(reason: string, hides = true): void {
    if (!this.problems.some((problem) => problem.reason === reason)) this.problems.push({ reason, hides })
  }

  /** Walks a statement. */
  protected abstract walk(node: Node, place: Place): void

  /** `> out` alone, or `> out rm x`: redirections first, the command's words after. */
  protected abstract bareRedirect(node: Node, place: Place): void

  /** Runs part of the walk whose `cd` does not reach what follows. */
  protected apart(part: () => void): void {
    const folder = this.folder
    part()
    this.folder = folder
  }

  /** Checks that nothing but space lies between the children; bash would read what the grammar left out. */
  protected checkGaps(node: Node): void {
    let at = node.startIndex
    const oneLine = ONE_LINE.has(node.type)
    let named = false
    let word = false
    for (const child of node.children) {
      if (!child) continue
      this.checkGap(at, child.startIndex, oneLine)
      if (named && child.isNamed) this.checkContinuation(at, child.startIndex)
      // `x#y` is one word to bash.
      if (child.type === 'comment' && /[^\s;&|]/.test(this.source[child.startIndex - 1] ?? ' ')) {
        this.problem('a comment that is joined to a word')
      }
      const isWord = child.isNamed && WORD_NODES.has(child.type)
      if (word && isWord && at === child.startIndex) {
        this.problem('words that are joined in a way that is not understood')
      }
      word = isWord
      named = child.isNamed
      at = Math.max(at, child.endIndex)
    }
    this.checkGap(at, node.endIndex, oneLine)
  }

  /** `r\` at a line's end and `m` on the next are one word to bash, two to the grammar. */
  protected checkContinuation(from: number, to: number): void {
    if (to > from && this.source.slice(from, to).replaceAll('\\\n', '') === '') {
      this.problem('a line continuation inside a word')
    }
  }

  private checkGap(from: number, to: number, oneLine: boolean): void {
    const gap = to > from ? this.source.slice(from, to).replaceAll('\\\n', '') : ''
    if (gap.trim() !== '') this.problem('text that the grammar left out')
    // The grammar reads on over a line's end when the next line starts with a continuation; bash does not.
    if (oneLine && gap.includes('\n')) this.problem('a command that goes on after the end of its line')
  }

  private words(place: Place): WordContext {
    return {
      source: this.source,
      home: this.options.home,
      problem: (reason) => this.problem(reason),
      isSet: (name) => this.variables.has(name),
      substitution: (node, via) => {
        const from = this.segments.length
        const inner: Place = { via: [...place.via, via], stdin: 'none' }
        this.apart(() => {
          this.checkGaps(node)
          for (const child of node.namedChildren) {
            if (child?.type === 'file_redirect') this.bareRedirect(child, inner)
            else if (child) this.walk(child, inner)
          }
        })
        return outputOf(this.segments.slice(from))
      },
    }
  }

  protected word(node: Node, place: Place): Word {
    return readWord(node, this.words(place))
  }

  protected add(
    { words, assignments, redirects }: Pick<Segment, 'words' | 'assignments' | 'redirects'>,
    place: Place,
  ): void {
    let { stdin } = place
    for (const redirect of redirects) {
      if (redirect.kind === 'text') stdin = 'text'
      if (redirect.kind === 'read' && redirect.target?.value !== '/dev/null') stdin = 'pipe'
    }
    this.segments.push({ words, assignments, redirects, via: place.via, stdin, folder: this.folder })
    const name = words[0]?.value
    for (const assignment of assignments) this.noteVariable(assignment.name, [assignment.value])
    if (name === 'read' && stdin !== 'text') for (const word of words.slice(1)) this.variables.add(word.value ?? '')
    if (name === 'cd') this.changeFolder(words.slice(1))
    else if (name === 'pushd' || name === 'popd') this.folder = undefined
  }

  /** A variable whose value comes from this very command may be printed; one that takes over another may not. */
  protected noteVariable(name: string, values: readonly Word[]): void {
    if (values.every((word) => word.value !== undefined || word.harmless !== undefined)) this.variables.add(name)
    else this.variables.delete(name)
  }

  private changeFolder(args: readonly Word[]): void {
    const targets = args.filter((word) => word.value !== '--' && word.value !== '-P' && word.value !== '-L')
    const target = targets.length === 0 ? this.options.home : targets[0]?.glob ? undefined : targets[0]?.value
    if (target === undefined || targets.length > 1 || target.startsWith('-')) this.folder = undefined
    else if (target.startsWith('/')) this.folder = target
    else if (this.folder !== undefined) this.folder = `${this.folder}/${target}`
  }

  /** The grammar puts words that follow a target into the redirection; bash gives them to the command. */
  protected redirect(node: Node, place: Place): { redirect: Redirect[]; rest: Node[] } {
    this.checkGaps(node)
    // `a2>x` and `-2>x` write a word and `>`; digits are a descriptor only by themselves (bash(1), REDIRECTION).
    const descriptor = node.namedChildren.find((child) => child?.type === 'file_descriptor')
    const before = this.source[(descriptor?.startIndex ?? 0) - 1] ?? ' '
    if (descriptor && (!/^\d+$/.test(descriptor.text) || /[^\s;&|(){}]/.test(before))) {
      this.problem('a redirection that is not understood')
    }
    const tokens = node.children.filter((child) => child !== null && !child.isNamed)
    if (tokens.length !== 1) this.problem('a redirection that is not understood')
    const operator = node.children.find((child) => child && !child.isNamed)?.type ?? ''
    const words = node.namedChildren.filter((child) => child !== null && child.type !== 'file_descriptor')
    if (operator.endsWith('&-')) {
      if (words.length > 0) this.problem('words after a closed descriptor')
      return { redirect: [{ kind: 'copy' }], rest: words }
    }
    const [target, ...rest] = words
    if (!target) {
      this.problem('a redirection without a target')
      return { redirect: [], rest: [] }
    }
    const word = this.word(target, place)
    if (operator.endsWith('&') && /^\d+-?$/.test(word.value ?? '')) return { redirect: [{ kind: 'copy' }], rest }
    const kind = operator === '<' ? 'read' : operator === '<&' ? 'copy' : 'write'
    if (kind === 'copy' || !['<', '>', '>>', '>|', '&>', '&>>', '>&'].includes(operator)) {
      this.problem(`a redirection that is not understood (${operator})`)
    }
    return { redirect: [{ kind, target: word }], rest }
  }

  protected hereString(node: Node, place: Place): Redirect {
    this.checkGaps(node)
    const [child] = node.namedChildren
    const word = child && node.namedChildCount === 1 ? this.word(child, place) : undefined
    if (!word) this.problem('a here-string that is not understood')
    if (word?.value !== undefined) return { kind: 'text', text: `${word.value}\n` }
    return { kind: 'text', ...(word?.harmless === undefined ? { hidden: true } : {}) }
  }
}

/** The output of a substitution that is certain: `$(cat <<'EOF' … EOF)` and `$(pwd)` aside, nothing is. */
function outputOf(segments: readonly Segment[]): string | undefined {
  const [only] = segments
  if (segments.length !== 1 || only?.words.length !== 1 || only.words[0]?.value !== 'cat') return undefined
  const [redirect] = only.redirects
  if (only.redirects.length !== 1 || redirect?.kind !== 'text' || only.assignments.length > 0) return undefined
  return redirect.text?.replace(/\n+$/, '')
}
