// Sorts what a query found by the names of its captures. docs/languages.md lists the names.
import { KIND, USE_FLAG, type SymbolKind } from '../../kinds.ts'
import type { Match } from './query/matcher.ts'

/** A run of text in UTF-16 offsets. */
export interface Span {
  start: number
  end: number
}

/** Where a type is said: by its name, or by a call of what makes a value of it. */
export interface TypeSpan extends Span {
  call: boolean
}

export interface SymbolMatch extends Span {
  kind: SymbolKind
  name: Span
  /** Where the body begins, or -1. */
  body: number
  container: Span | undefined
  type: TypeSpan | undefined
  /** `class`: belongs to the nearest class instead of what it stands in. */
  lift: boolean
  /** Depth of a heading, 0 for anything else. */
  level: number
  /** It reaches to the end of the file, or to the next of its kind. */
  rest: boolean
  pattern: number
}

export interface ImportMatch extends Span {
  kind: string
  module: Span | undefined
  names: Span[]
  local: Span | undefined
  /** The module, where the language implies it. */
  implied: string | undefined
  /** Put before a module text that does not begin with a dot. */
  prefix: string
}

/** A name in use. The last words of `use.call` and its like raise flags. */
export interface Use extends Span {
  flags: number
  member: boolean
  /** The receiver of a member, -1 when there is none. */
  receiver: number
  receiverEnd: number
}

export interface Local extends Span {
  /** Offset from which it is known. */
  from: number
  type: TypeSpan | undefined
  /** It stands for the present object, as Go's receiver does. */
  self: boolean
}

export interface Captured {
  symbols: SymbolMatch[]
  imports: ImportMatch[]
  /** By the offset of the name. */
  uses: Map<number, Use>
  locals: Local[]
  /** Names that the scope they are named in shares with the top level (Python `global`). */
  globals: Span[]
  /** Where names are not uses. */
  skips: Span[]
  scopes: Span[]
  /** Declarations without a symbol of their own, whose members belong to a named type (Rust `impl`). */
  owners: (Span & { name: Span; implementing: boolean })[]
  wider: (Span & { name: Span })[]
  attributes: Span[]
  comments: Span[]
  docs: Span[]
  nests: (Span & { same: boolean })[]
  heritage: (Span & { implements: boolean; owner: Span | undefined })[]
  /** Sections of a class that give what follows them a visibility. */
  sections: (Span & { within: Span })[]
  scans: (Span & { scan: string })[]
}

/** Takes the matches of a language's query one by one, and puts them into lists by meaning, in their order. */
export class CaptureSorter {
  private readonly out: Captured = {
    symbols: [],
    imports: [],
    uses: new Map(),
    locals: [],
    globals: [],
    skips: [],
    scopes: [],
    owners: [],
    wider: [],
    attributes: [],
    comments: [],
    docs: [],
    nests: [],
    heritage: [],
    sections: [],
    scans: [],
  }
  private readonly ignored: number[] = []

  add(match: Match): void {
    const { captures } = match
    const { is } = captures[0]!
    // Most matches are a name in use, and nothing else.
    if (captures.length === 1 && is.role === 'use') addUse(this.out.uses, captures[0]!, is.detail, false)
    else sortMatch(match, this.out, this.ignored)
  }

  /** The lists; nothing may be added after. */
  finish(): Captured {
    const { uses } = this.out
    for (const start of this.ignored) if (!uses.get(start)?.member) uses.delete(start)
    // Matches come by node and pattern; where the first of several counts, it is the first in the text.
    this.out.imports.sort((a, b) => a.start - b.start || lastPart(a) - lastPart(b))
    this.out.heritage.sort((a, b) => a.start - b.start)
    this.out.locals.sort((a, b) => a.start - b.start)
    return this.out
  }
}

function sortMatch(match: Match, out: Captured, ignored: number[]): void {
  let symbol: { kind: SymbolKind; node: Span } | undefined
  let imported: { kind: string; node: Span } | undefined
  let owner: Span | undefined
  let wider: Span | undefined
  let section: Span | undefined
  let after = -1
  let receiver: Span | undefined
  let member: Use | undefined
  let type: TypeSpan | undefined
  const part: Partial<Record<string, Span>> = {}
  const names: Span[] = []
  const heirs: (Span & { implements: boolean })[] = []
  const locals: { node: Span; self: boolean }[] = []
  for (const node of match.captures) {
    const { name, role, detail } = node.is
    switch (role) {
      case 'use':
        addUse(out.uses, node, detail, false)
        break
      case 'member':
        member = addUse(out.uses, node, detail, true)
        break
      case 'receiver':
        receiver = node
        break
      case 'symbol':
        symbol = { kind: detail as SymbolKind, node }
        break
      case 'import':
        imported = { kind: detail, node }
        break
      case 'local':
        if (detail === 'type' || detail === 'call') type = { ...spanOf(node), call: detail === 'call' }
        else locals.push({ node, self: detail === 'self' })
        break
      case 'after':
        after = node.end
        break
      case 'global':
        out.globals.push(spanOf(node))
        break
      case 'ignore':
        ignored.push(node.start)
        break
      case 'skip':
        out.skips.push(spanOf(node))
        break
      case 'scope':
        out.scopes.push(spanOf(node))
        break
      case 'owner':
        owner = node
        break
      case 'wider':
        wider = node
        break
      case 'attribute':
        out.attributes.push(spanOf(node))
        break
      case 'comment':
        out.comments.push(spanOf(node))
        break
      case 'doc':
        if (detail === '') out.docs.push(spanOf(node))
        break
      case 'nest':
        out.nests.push({ ...spanOf(node), same: detail === 'same' })
        break
      case 'extends':
      case 'implements':
        heirs.push({ ...spanOf(node), implements: role === 'implements' })
        break
      case 'section':
        section = node
        break
      case 'scan':
        out.scans.push({ ...spanOf(node), scan: detail })
        break
      case 'name':
        names.push(spanOf(node))
        break
      default:
        part[name] ??= node
    }
  }
  if (member && receiver) {
    member.receiver = receiver.start
    member.receiverEnd = receiver.end
  }
  for (const { node, self } of imported ? [] : locals)
    out.locals.push({
      ...spanOf(node),
      from: after < 0 ? node.start : after,
      type,
      self,
    })
  if (section) out.sections.push({ ...spanOf(section), within: spanOf(part['within'] ?? section) })
  if (wider && names[0]) out.wider.push({ ...spanOf(wider), name: names[0] })
  for (const heir of heirs) out.heritage.push({ ...heir, owner: owner && names[0] })
  if (owner && names[0]) out.owners.push({ ...spanOf(owner), name: names[0], implementing: heirs.length > 0 })
  if (symbol && names.length > 0) {
    const { settings } = match.pattern
    // One declaration may name several things (`int a, b;`): each match has one name, but a quantified one may have more.
    const body = part['body']?.start ?? -1
    const whole = spanOf(symbol.node)
    for (const span of names) {
      const name = settings['name'] === 'head' && body >= 0 ? { start: whole.start, end: body } : span
      out.symbols.push({
        ...whole,
        kind: symbol.kind,
        name,
        body,
        container: part['container'] && spanOf(part['container']),
        type: typeOf(part['type'], false) ?? typeOf(part['type.call'], true),
        lift: settings['lift'] !== undefined,
        level: Number(settings['level'] ?? 0),
        rest: settings['rest'] !== undefined,
        pattern: match.pattern.index,
      })
    }
  }
  if (imported)
    out.imports.push({
      ...spanOf(imported.node),
      kind: imported.kind,
      module: part['module'] && spanOf(part['module']),
      names,
      local: locals[0] && spanOf(locals[0].node),
      implied: match.pattern.settings['module'],
      prefix: match.pattern.settings['prefix'] ?? '',
    })
}

function lastPart({ module, names, local }: ImportMatch): number {
  return Math.max(module?.start ?? 0, names[0]?.start ?? 0, local?.start ?? 0)
}

function addUse(uses: Map<number, Use>, node: Span, detail: string, member: boolean): Use {
  const start = node.start
  let use = uses.get(start)
  if (use === undefined) {
    use = { start, end: node.end, flags: 0, member, receiver: -1, receiverEnd: -1 }
    uses.set(start, use)
  }
  if (member) use.member = true
  if (detail !== '') use.flags |= USE_FLAG[detail as keyof typeof USE_FLAG]
  return use
}

function typeOf(node: Span | undefined, call: boolean): TypeSpan | undefined {
  return node && { ...spanOf(node), call }
}

/** Without what else a capture knows. */
function spanOf({ start, end }: Span): Span {
  return { start, end }
}

/** Kinds whose members are methods and properties. */
export const CLASS_KINDS: ReadonlySet<number> = new Set(
  (['class', 'interface', 'struct', 'trait', 'enum'] as const).map((kind) => KIND[kind]),
)
/** Kinds that have a body in which names are local. */
export const FUNCTION_KINDS: ReadonlySet<number> = new Set(
  (['function', 'method', 'constructor', 'getter', 'setter'] as const).map((kind) => KIND[kind]),
)
