import type { Unit } from './found.ts'
import type { Judge } from './judge-calls.ts'
import { readBareUnit, startsBare } from './read-bare-unit.ts'
import { fenceAhead, readFenceUnit, type FenceStart } from './read-fence.ts'
import { opensGemma, readGemmaUnit } from './read-gemma.ts'
import { readHarmonyHeader } from './read-harmony.ts'
import { opensMinimax, readMinimaxUnit } from './read-minimax.ts'
import { readPlainUnit, startsPlain } from './read-plain-unit.ts'
import { opensCall, readTagUnit } from './read-tag-unit.ts'
import { marksCall, opensTokenCall, readArguments, readMistral, readTokenUnit, skipLine } from './read-token-unit.ts'
import { elementAhead, readXtmlUnit } from './read-xtml.ts'
import { isSpace, isWordStart, type Reader, type Wait } from './reader.ts'
import { tagFilter } from './tag-filter.ts'
import { CALL_TAGS, QUOTE_TAGS, readTag, tagAhead, THINK_TAGS, WRAPPERS } from './tags.ts'
import { thinkEndMark, thinkEndTag, thinkMark } from './thinking.ts'
import { isGap, opensMarkup, TextPass } from './text-pass.ts'
import { ANSWER_TOKENS, END_TOKENS, tokenAhead, turnAhead } from './tokens.ts'
import type { ToolIndex } from './tool-index.ts'

const TICK = 96
const TRIANGLE = 0x25c1
const MAX_TICKS = 64
/** How far is looked at once for what says that a brace means nothing; the rest is for `startsBare`. */
const NEAR = 8
/** How much of a broken call is searched for its tool's name. */
const MAX_BROKEN = 2000

/** What Functionary writes before prose; lower case. */
const ALL = '>>>all\n'

/** Quotation marks right before a mark of a call: the mark is quoted. */
const QUOTES = new Set(['"', "'", '“', '‘', '«', '„'].map((char) => char.charCodeAt(0)))

/** What ends a turn that the model made up. */
const TURN_ENDS: readonly string[] = ['<|im_end|>', '<|eot_id|>', '<|im_start|>', '<|start_header_id|>']

type Found = Omit<Unit, 'place'>

/** What the name of an opening tag may stand for; a quote only at the head of a line, or anywhere. */
interface TagKind {
  think: boolean
  quote: 'head' | 'anywhere' | undefined
  call: boolean
}
const NOTHING: TagKind = { think: false, quote: undefined, call: false }
/** Names that are looked up once. */
const MAX_KINDS = 500

/** What stands at a `<`. */
/** Tokens that may open or close thinking. */
const MAY_THINK: ReadonlySet<string> = new Set([
  'start_thinking',
  'end_thinking',
  'inner_prefix',
  'inner_suffix',
  'think',
  'content_thinking',
  'begin_think',
  'end_think',
  'open',
  'close',
])
const QUOTABLE: ReadonlySet<string> = new Set(['token', 'call', 'gemma', 'element'])

type Angle =
  | 'text'
  | 'comment'
  | 'token'
  | 'think'
  | 'think-mark'
  | 'think-end'
  | 'quote'
  | 'noise'
  | 'end'
  | 'call'
  | 'gemma'
  | 'element'
  | 'quotation'

const MINUS = 45
const COMMA = 44
const STOP = 46
const isLower = (code: number): boolean => code >= 97 && code <= 122
const ARROW = 62

/**
 * Walks over a message: lets prose through, steps over what is quoted (code spans, code blocks, block quotes,
 * tool output) and thinking, and hands every stretch that may be calls to its reader.
 */
export class TextScan extends TextPass {
  private readonly index: ToolIndex
  private harmony = false
  private readonly kinds = new Map<string, TagKind>()

  constructor(reader: Reader, judge: Judge, index: ToolIndex) {
    super(reader, judge, tagFilter(index))
    this.index = index
  }

  *run(): Wait<void> {
    const { reader } = this
    while (true) {
      const passed = this.passWhile()
      this.flush()
      if (passed) {
        if (!(yield* reader.more())) return
        continue
      }
      const code = reader.text.charCodeAt(reader.at)
      if (passed === undefined) yield undefined
      else if (code === TICK || code === 126) yield* this.ticksAt(code)
      else if (code === 60) yield* this.angleAt()
      else if (code === 91 || code === 123 || code === 93) yield* this.bracketAt()
      else if (code === TRIANGLE) yield* this.triangleAt()
      else yield* this.wordAt()
    }
  }

  /** As `passPlain`, to the end of what is there; not in the generator, whose loops are slow. */
  private passWhile(): boolean | undefined {
    const { reader } = this
    while (reader.there()) {
      const passed = this.passPlain(reader.text.charCodeAt(reader.at))
      if (!passed) return passed
    }
    return true
  }

  /** Lets through what is nothing but text; false where it is more, undefined where that cannot be told yet. */
  private passPlain(code: number): boolean | undefined {
    if (this.fence) return this.passFence()
    if (code === 10 || isGap(code) || code === 13) this.passSpace()
    else if (code === TICK || (code === 126 && this.head)) return this.ticksNow(code)
    else if (this.ticks > 0 || this.quoted || this.spent) this.passRun()
    else if (code === 60) return this.isText(this.angleAhead)
    else if (code === 123 && this.bracedNothing()) this.passRun()
    else if (code === 91 || code === 123 || code === 93) return this.isText(this.bracketAhead)
    else if (code === TRIANGLE) return false
    else if (this.head && (isWordStart(code) || code === MINUS || code === ARROW)) return this.isText(this.wordAhead)
    else this.passRun()
    return true
  }

  /** Lets text through where a look at what is there finds nothing else; a generator for each would cost too much. */
  private isText(ahead: () => string): boolean | undefined {
    const what = this.reader.look(ahead)
    if (this.reader.short) return undefined
    if (what !== 'text') return false
    if (this.head && this.reader.text.charCodeAt(this.reader.at) === ARROW) this.quoted = true
    this.passRun()
    return true
  }

  /** Whether the character after a brace is there and begins no key. */
  private bracedNothing(): boolean {
    const { text, at } = this.reader
    const most = Math.min(text.length, at + NEAR)
    let end = at + 1
    while (end < most && isSpace(text.charCodeAt(end))) end++
    if (end === most) return false
    const code = text.charCodeAt(end)
    return code < 128 && code !== 34 && code !== 39 && !isWordStart(code)
  }

  /** Reads with `read`; what it found goes to the judge, what it did not becomes text. */
  private *attempt(read: () => Wait<Found | Unit | undefined>): Wait<void> {
    const { reader } = this
    const place = this.head ? 'block' : 'inline'
    reader.mark()
    const found = yield* read()
    const raw = reader.release()
    if (found && this.accept({ place, ...found }, raw)) return
    this.failed++
    this.fail(raw)
  }

  /** Hands a find to the judge. A broken one counts only with markup of its own or a tool's name in it. */
  private accept(unit: Unit, raw: string): boolean {
    for (const call of unit.calls) if (call.broken && call.name === '') call.name = nameIn(raw)
    if (!unit.strong && unit.calls.some((call) => call.broken && !this.index.exact.has(call.name))) return false
    this.judge.unit(unit, raw)
    this.units++
    this.head = true
    this.before = 0
    return true
  }

  /** Passes a run of back-quotes or tildes that opens no block; false where it does, undefined where that cannot be told yet. */
  private ticksNow(char: number): boolean | undefined {
    const { reader } = this
    const { run, fence } = reader.look(() => this.ticksAhead(char))
    if (reader.short) return undefined
    if (fence?.kind === 'calls') return false
    this.passTicks(char, run, fence)
    return true
  }

  private *ticksAt(char: number): Wait<void> {
    const { reader, index } = this
    const { run, fence } = yield* reader.settled(() => this.ticksAhead(char))
    if (fence?.kind !== 'calls') {
      this.passTicks(char, run, fence)
      return
    }
    reader.mark()
    const unit = yield* readFenceUnit(reader, index, run, fence)
    const raw = reader.release()
    if (unit && this.accept(unit, raw)) return
    this.failed++
    this.fail(raw)
    // A block that was read to its end is over.
    if (!unit) this.fence = { char, run }
  }

  private ticksAhead(char: number): { run: number; fence?: FenceStart } {
    const { reader } = this
    const run = reader.countAhead(0, MAX_TICKS, char)
    if (run < 3 || this.ticks > 0 || this.quoted) return { run }
    return { run, fence: fenceAhead(reader, run, this.head) }
  }

  private passTicks(char: number, run: number, fence: FenceStart | undefined): void {
    this.head = false
    if (fence?.kind === 'block') this.fence = { char, run }
    else if (char === TICK) {
      if (this.ticks === 0) this.ticks = run
      else if (this.ticks === run) this.ticks = 0
    }
    this.pass(run)
  }

  private *angleAt(): Wait<void> {
    const { reader, index } = this
    const angle = yield* reader.settled(this.angleAhead)
    switch (angle) {
      case 'text':
        this.passRun()
        break
      case 'comment':
        yield* this.passUntil('-->')
        break
      case 'token':
        yield* this.tokenAt()
        break
      case 'think':
        yield* this.thinkTag()
        break
      case 'think-mark':
        yield* this.thinkMarked(thinkMark(reader)!)
        break
      case 'think-end':
        this.strayThinkEnd(thinkEndTag(reader) || thinkEndMark(reader))
        break
      case 'gemma':
        yield* this.attempt(() => readGemmaUnit(reader))
        break
      case 'element':
        yield* this.elementAt()
        break
      case 'quotation':
        yield* this.passTo(
          10,
          () => 1,
          (text) => this.judge.text(text),
        )
        this.head = false
        break
      case 'quote':
        yield* this.passUntil(`</${tagAhead(reader).name}`)
        break
      case 'noise':
        yield* this.noiseTag()
        break
      case 'end':
        this.judge.noise(reader.take('</s>'.length))
        break
      case 'call':
        yield* this.attempt(() => readTagUnit(reader, index))
        break
    }
  }

  private readonly angleAhead = (): Angle => {
    const { reader } = this
    const next = reader.code(1)
    if (!opensMarkup(next)) return 'text'
    const angle = this.markupAhead(next)
    if (!QUOTES.has(this.before) || angle === 'text') return angle
    // A quoted mark of a call quotes the rest of its line too: what it opens has quotation marks of its own.
    return QUOTABLE.has(angle) ? 'quotation' : 'text'
  }

  private markupAhead(next: number): Angle {
    const { reader } = this
    if (next === 33) return reader.looksAt('<!--') ? 'comment' : 'text'
    if (next === 124 || next === 0xff5c) {
      const token = tokenAhead(reader)
      if (token.name === '' || MAY_THINK.has(token.name)) {
        if (this.head && thinkMark(reader)) return 'think-mark'
        const length = thinkEndMark(reader)
        if (length > 0) return this.endsThought(length) ? 'think-end' : 'text'
      }
      if (token.name === '' && opensGemma(reader)) return 'gemma'
      if ((token.name === 'open' || token.name === 'close') && elementAhead(reader)) return 'element'
      if (token.name) return 'token'
    }
    const { name, bare, close, written, end } = tagAhead(reader)
    if (!name) return 'text'
    if (close) {
      if (THINK_TAGS.has(bare)) return reader.code(end) === 62 && this.endsThought(end + 1) ? 'think-end' : 'text'
      if (WRAPPERS.has(bare) || CALL_TAGS.has(bare)) return 'noise'
      return reader.looksAt('</s>') ? 'end' : 'text'
    }
    if (name === 'channel' && thinkEndMark(reader)) return 'think-end'
    if (name === 'start_function_call') return opensGemma(reader) ? 'gemma' : 'text'
    const kind = this.kinds.get(written) ?? this.kindOf(name, written)
    if (kind === NOTHING) return 'text'
    if (kind.think && !this.head) this.mentioned = true
    if (kind.think && this.head) return 'think'
    if (kind.quote === 'anywhere' || (kind.quote === 'head' && this.head)) return 'quote'
    return kind.call ? 'call' : 'text'
  }

  /** An opening tag of thinking stood in the prose: a closing one is a mention too. */
  private mentioned = false

  /**
   * Whether a closing mark of thinking (its length is `length`) that nothing opened ends thinking whose opening stood in
   * the prompt. It does, unless it stands like a word in a sentence.
   */
  private endsThought(length: number): boolean {
    if (this.mentioned) return false
    const { reader } = this
    if (this.head || !isGap(this.before)) return true
    const after = reader.code(length)
    return !(isGap(after) && isLower(reader.code(length + 1))) && after !== COMMA && after !== STOP
  }

  /** Kimi K3's `<|open|>response<|sep|>` and its like: a call, or a mark that is not shown. */
  private *elementAt(): Wait<void> {
    const { reader } = this
    const { name, close, length } = elementAhead(reader)!
    if (!close && (name === 'tools' || name === 'call')) yield* this.attempt(() => readXtmlUnit(reader))
    else {
      if (!close && this.head) reader.at += length
      else this.judge.noise(reader.take(length))
      this.head = true
    }
  }

  /** What an opening tag may be, looked up once for each name. */
  private kindOf(name: string, written: string): TagKind {
    const think = THINK_TAGS.has(name)
    const anywhere = name === 'code' || name === 'pre'
    const quote: TagKind['quote'] = anywhere ? 'anywhere' : QUOTE_TAGS.has(name) ? 'head' : undefined
    const call = opensCall(this.index, name, written)
    const kind = think || quote || call ? { think, quote, call } : NOTHING
    if (this.kinds.size < MAX_KINDS) this.kinds.set(written, kind)
    return kind
  }

  /** A closing tag nothing opened: its opening was lost with the special tokens, or it was written twice. */
  private *noiseTag(): Wait<void> {
    const { reader } = this
    reader.mark()
    const tag = yield* readTag(reader)
    const raw = reader.release()
    this.failed++
    if (tag) this.judge.noise(raw)
    else this.fail(raw)
  }

  private *tokenAt(): Wait<void> {
    const { reader, index } = this
    const token = tokenAhead(reader)
    if (token.name === 'channel' || token.name === 'start') yield* this.harmonyAt()
    else if (opensTokenCall(token.name)) yield* this.attempt(() => readTokenUnit(reader, index))
    else if (END_TOKENS.has(token.name)) {
      const raw = reader.take(token.length)
      // In harmony these end a message of several; elsewhere they are shown when prose goes on after them.
      if (this.harmony) this.judge.aside = false
      else this.judge.noise(raw)
      this.head = true
    } else if (this.head && ANSWER_TOKENS.has(token.name)) reader.at += token.length
    else {
      const turn = yield* reader.settled(() => turnAhead(reader))
      if (turn?.own) {
        this.judge.noise(reader.take(turn.length))
        this.head = true
      } else if (turn) yield* this.passOtherTurn(turn.length)
      else {
        this.failed++
        this.passRun()
      }
    }
  }

  /** What the model makes the user or a tool say: no call in it, and none after it can be trusted. */
  private *passOtherTurn(length: number): Wait<void> {
    this.pass(length)
    this.flush()
    this.judge.distrust()
    const { reader } = this
    const ends = (): number => TURN_ENDS.find((end) => reader.looksAt(end))?.length ?? 0
    yield* this.passTo(60, ends, (text) => this.judge.text(text))
    this.head = true
  }

  /** A message of the harmony format: thinking, a call, a preamble or the answer, by its header. */
  private *harmonyAt(): Wait<void> {
    const { reader, judge } = this
    reader.mark()
    const header = yield* readHarmonyHeader(reader)
    if (!header) {
      this.failed++
      this.fail(reader.release())
      this.head = false
      return
    }
    this.harmony = true
    // Muse Glimmer names the tool in the header and writes the call in tags.
    const inTags = header.kind === 'call' && (yield* reader.space()) === 60
    judge.aside = header.kind === 'commentary' || inTags
    if (header.kind === 'call' && !inTags) {
      const call = yield* readArguments(reader, header.to)
      if (call.broken) yield* skipLine(reader)
      this.accept({ dialect: 'harmony', strong: true, place: 'block', calls: [call] }, reader.release())
    } else {
      reader.release()
      if (header.kind === 'analysis')
        yield* this.passReasoning([
          '<|end|>',
          '<|start|>',
          '<|channel|>',
          '<|return|>',
          '<|call|>',
          '<|eom|>',
          '<|eot|>',
        ])
      else if (header.kind === 'other') {
        judge.distrust()
        yield* this.passUntil('<|end|>')
      }
    }
    this.head = true
  }

  private readonly bracketAhead = (): 'mark' | 'minimax' | 'think' | 'think-end' | 'bare' | 'text' => {
    const { reader } = this
    if (QUOTES.has(this.before)) return 'text'
    const code = reader.code()
    if (code === 93) return opensMinimax(reader) ? 'minimax' : 'text'
    if (code === 91) {
      if (marksCall(reader)) return 'mark'
      if (this.head && thinkMark(reader)) return 'think'
      const length = thinkEndMark(reader)
      if (length > 0) return this.endsThought(length) ? 'think-end' : 'text'
    }
    const apart = this.head || isGap(this.before)
    return apart && startsBare(reader, this.index, !this.head) ? 'bare' : 'text'
  };

  private *bracketAt(): Wait<void> {
    const { reader, index } = this
    const bracket = yield* reader.settled(this.bracketAhead)
    if (bracket === 'mark') yield* this.attempt(() => readMistral(reader, index))
    else if (bracket === 'minimax') yield* this.attempt(() => readMinimaxUnit(reader))
    else if (bracket === 'think') yield* this.thinkMarked(thinkMark(reader)!)
    else if (bracket === 'think-end') this.strayThinkEnd(thinkEndMark(reader))
    else if (bracket === 'bare') yield* this.attempt(() => readBareUnit(reader, index))
    else this.passRun()
  }

  private readonly wordAhead = (): 'plain' | 'text' =>
    this.reader.looksAt(ALL) || startsPlain(this.reader, this.index) ? 'plain' : 'text';

  private *wordAt(): Wait<void> {
    const { reader, index } = this
    // Functionary's mark of a message for everybody.
    if (yield* reader.settled(() => reader.looksAt(ALL))) {
      reader.at += ALL.length
      return
    }
    if ((yield* reader.settled(this.wordAhead)) === 'plain') yield* this.attempt(() => readPlainUnit(reader, index))
    else this.passRun()
  }

  /** Kimi's marks of thinking, or a triangle. */
  private *triangleAt(): Wait<void> {
    const { reader } = this
    const mark = yield* reader.settled(() => thinkMark(reader))
    const length = yield* reader.settled(() => thinkEndMark(reader))
    if (mark) yield* this.thinkMarked(mark)
    else if (length > 0) this.strayThinkEnd(length)
    else this.passRun()
  }

  /** `</think>` without an opening: the prompt held it, and all text so far was reasoning. */
  private strayThinkEnd(length: number): void {
    this.failed++
    this.reader.at += length
    this.judge.reasoningBefore()
    this.head = true
  }
}

/** The name a broken call gives, as far as it can be read. */
const nameIn = (raw: string): string =>
  /["'“](?:name|tool|tool_name|function)["'”]\s*:\s*["'“]([\w.:-]{1,80})["'”]/.exec(raw.slice(0, MAX_BROKEN))?.[1] ?? ''
