import {
  AFTER_REACH,
  announcesAction,
  announcesExample,
  CUE_REACH,
  explains,
  isEmbedded,
  isFinished,
  isShown,
  type Surroundings,
} from './cues.ts'
import type { FoundCall, Unit } from './found.ts'
import { resolveFound } from './resolve-call.ts'
import { toolIndex, type ToolIndex } from './tool-index.ts'
import type { Resolution, ScannerOptions, TextCall, TextPart, Verdict } from './types.ts'

/** More calls in one message are the noise of a model that repeats itself; ten are run at most. */
const MAX_CALLS = 200

/** Where calls stand in the message: nothing but calls in it; after prose, at the end; with prose after them. */
type Position = 'alone' | 'tail' | 'middle'

type Held =
  | { unit: Unit; raw: string; resolutions?: Resolution[] }
  | { text: string; prose: boolean }
  | { reasoning: string }
  | { noise: string }

type Worth = 'call' | 'doubt' | 'text'

const isBlank = (text: string): boolean => !/\S/.test(text)

/**
 * Puts the scanner's finds in order and decides what each call is worth, once it is known what stands around
 * it. Calls are held until enough prose after them or the end; text is let through at once unless calls are held before it.
 */
export class Judge {
  private readonly index: ToolIndex
  private readonly options: ScannerOptions
  private parts: TextPart[] = []
  private held: Held[] = []
  /** Held calls, and the characters of prose after the last of them. */
  private heldUnits = 0
  private after = 0
  private prose = false
  private visible = false
  private thoughts = false
  private recent = ''
  private doubted = false
  private distrusted = false
  private calls = 0
  private weighed = 0
  private units = 0
  private groups = 0
  /** Calls were found and judged to be shown, not made. */
  shown = false
  /** Set while the text is a preamble that the model's own format keeps apart from its answer. */
  aside = false

  constructor(options: ScannerOptions) {
    this.options = options
    this.index = toolIndex(options.tools)
  }

  text(text: string): void {
    if (text === '') return
    const blank = isBlank(text)
    if (this.held.length === 0) {
      this.emitText(text)
      if (!blank && !this.aside) this.prose = true
      return
    }
    const last = this.held.at(-1)!
    if ('text' in last && (blank || last.prose === !this.aside)) last.text += text
    else this.held.push({ text, prose: !this.aside })
    // Counted from the first character that is not white space on.
    this.after += this.after === 0 ? text.trimStart().length : text.length
    if (!blank && (this.heldUnits === 0 || this.after >= AFTER_REACH)) this.settle()
  }

  /** Markup that is shown only if prose follows: stray closing tags and end tokens. */
  noise(raw: string): void {
    this.held.push({ noise: raw })
  }

  reasoning(text: string): void {
    if (text === '') return
    const last = this.held.at(-1)
    if (last && 'reasoning' in last) last.reasoning += text
    else if (last) this.held.push({ reasoning: text })
    else this.emit({ type: 'reasoning', text })
  }

  /** Everything so far was reasoning after all. */
  reasoningBefore(): void {
    for (const each of this.held) {
      if ('reasoning' in each) this.emit({ type: 'reasoning', text: each.reasoning })
      else this.emitText('unit' in each ? each.raw : 'text' in each ? each.text : each.noise)
    }
    this.clear()
    this.emit({ type: 'reasoning-before' })
    this.prose = false
    this.visible = false
    this.thoughts = true
    this.recent = ''
    this.doubted = false
  }

  /** Thinking was opened and the message ended in it. */
  openThought(): void {
    this.thoughts = true
  }

  /** Every call from here on is in doubt. */
  distrust(): void {
    this.settle()
    this.distrusted = true
  }

  unit(unit: Unit, raw: string): void {
    this.units++
    this.heldUnits++
    this.after = 0
    this.held.push({ unit, raw })
  }

  /** Decides what is held: the message is over. `cut`: at the server's limit. */
  finish(cut: boolean): void {
    // A model that ends its turn right after opening one more call had no more to call.
    const last = this.held.at(-1)
    if (!cut && this.units > 1 && last && 'unit' in last && last.unit.calls.every((call) => call.empty)) {
      this.held[this.held.length - 1] = { noise: last.raw }
    }
    this.settle()
    // Thinking that never ended, or that ended with the message, was the answer.
    if (this.thoughts && !this.visible && this.calls === 0 && !cut) this.emit({ type: 'answer-before' })
  }

  take(): TextPart[] {
    const { parts } = this
    this.parts = []
    return parts
  }

  private clear(): void {
    this.held = []
    this.heldUnits = 0
    this.after = 0
  }

  /** Decides what every held call is worth by what stands around it, and emits what is held in its order. */
  private settle(): void {
    const { held } = this
    if (held.length === 0) return
    this.clear()
    const worths = this.worths(held)
    let called = false
    for (const [at, each] of held.entries()) {
      if ('reasoning' in each) this.emit({ type: 'reasoning', text: each.reasoning })
      else if ('noise' in each) {
        // Beside a call it belongs to its form; else it is shown where prose follows.
        if (!called && held.slice(at + 1).some((other) => 'text' in other && !isBlank(other.text)))
          this.emitText(each.noise)
      } else if ('text' in each) {
        this.emitText(each.text)
        if (isBlank(each.text)) continue
        called = false
        if (each.prose) this.prose = true
      } else if (worths[at] === 'text' || worths[at] === undefined) {
        this.emitText(each.raw)
        this.prose = true
        this.shown = true
        called = false
      } else {
        if (worths[at] === 'doubt') this.doubted = true
        this.emitCalls(each.unit, each.raw, each.resolutions ?? [], worths[at])
        called = true
      }
    }
  }

  private worths(held: Held[]): (Worth | undefined)[] {
    let worths = held.map((each): Worth | undefined => ('unit' in each ? 'call' : undefined))
    if (!held.some((each) => 'unit' in each)) return worths
    for (const each of held) if ('unit' in each) this.resolve(each)
    // What is no call after all is prose to those before and after it, so they are weighed again.
    for (let pass = 0; pass < 2; pass++) {
      const before = worths
      const isProse = held.map(
        (each, at) =>
          ('text' in each && each.prose && !isBlank(each.text)) || ('unit' in each && before[at] === 'text'),
      )
      const first = isProse.indexOf(true)
      const last = isProse.lastIndexOf(true)
      worths = held.map((each, at) => {
        if (!('unit' in each)) return undefined
        const after = last > at
        const position: Position = after ? 'middle' : this.prose || (first >= 0 && first < at) ? 'tail' : 'alone'
        return this.weigh(each.unit, each.resolutions!, position, this.around(held, at, each.unit))
      })
      if (worths.every((worth, at) => (worth === 'text') === (before[at] === 'text'))) break
    }
    return worths
  }

  private resolve(each: Extract<Held, { unit: Unit }>): void {
    this.weighed += each.unit.calls.length
    each.resolutions = this.weighed > MAX_CALLS ? [] : each.unit.calls.map((call) => resolveFound(call, this.index))
  }

  private around(held: readonly Held[], at: number, unit: Unit): Surroundings {
    let before = ''
    for (let index = at - 1; index >= 0 && before.length < CUE_REACH; index--) {
      const each = held[index]!
      if ('text' in each) before = each.text + before
      else if ('unit' in each) break
    }
    // Between two calls nothing but their own text counts.
    if (!held.slice(0, at).some((each) => 'unit' in each)) before = this.recent + before
    const next = held.slice(at + 1).find((each) => !('noise' in each))
    const after = next && 'text' in next ? next.text.slice(0, AFTER_REACH) : ''
    return { before: before.slice(-CUE_REACH), after, inline: unit.place === 'inline' }
  }

  /** What a stretch of calls is worth where it stands. Form decides; what is in doubt is decided by its effect. */
  private weigh(unit: Unit, resolutions: readonly Resolution[], position: Position, around: Surroundings): Worth {
    if (resolutions.length === 0) return 'text'
    const { options } = this
    const some = resolutions.some((each) => each.ok)
    const certain = some || unit.calls.some((call) => this.index.exact.has(call.name))
    const loose = unit.calls.some((call) => call.loose)
    if (certain && unit.dialect === options.asked) return 'call'
    if (position === 'alone') {
      if (loose) return some ? 'doubt' : 'text'
      if (certain || unit.strong) return 'call'
      return unit.dialect === 'element' ? 'text' : 'doubt'
    }
    const used = unit.dialect === options.dialect && !options.madeNativeCalls && unit.place !== 'inline' && !loose
    const special = unit.strong && unit.place !== 'fence'
    if (!certain) return !special && !(used && unit.strong) ? 'text' : position === 'tail' || used ? 'doubt' : 'text'
    if (!special && !used) return this.weighQuotable(unit, some, position, around)
    if (position === 'middle' && announcesExample(around)) return 'text'
    // A code block with prose around it is an example, unless what stands before it announces an action.
    if (!special && unit.place === 'fence' && !this.mayRunFenced(unit, position, around)) return 'doubt'
    // Data in a program that is shown.
    if (!special && /[=([,]\s*$/.test(around.before)) return 'doubt'
    if (isEmbedded(around)) return /^\s/.test(around.after) ? 'doubt' : 'text'
    if (!isShown(around)) return 'call'
    return special && this.changesNothing(resolutions) ? 'call' : 'doubt'
  }

  private mayRunFenced(unit: Unit, position: Position, around: Surroundings): boolean {
    if (unit.dialect !== 'json') return announcesAction(around)
    return position !== 'middle' || isBlank(around.before) || announcesAction(around)
  }

  /** The same for a form that people also quote, and that this model has not used: it needs to stand at the end. */
  private weighQuotable(unit: Unit, some: boolean, position: Position, around: Surroundings): Worth {
    if (unit.calls.some((call) => call.loose)) return 'text'
    const explained = explains(around)
    if (position === 'tail') {
      const doubtful =
        explained ||
        (unit.place === 'inline' && !(isFinished(around) || announcesAction(around))) ||
        (unit.place === 'fence' && unit.dialect !== 'json' && !announcesAction(around))
      return doubtful ? 'doubt' : 'call'
    }
    if (explained || unit.place === 'inline' || !some) return 'text'
    return 'doubt'
  }

  private changesNothing(resolutions: readonly Resolution[]): boolean {
    return resolutions.every((each) => {
      const effect = each.tool === undefined ? undefined : this.index.exact.get(each.tool)?.effect
      return effect === 'read' || effect === 'ask'
    })
  }

  private emitCalls(unit: Unit, raw: string, resolutions: readonly Resolution[], worth: 'call' | 'doubt'): void {
    const group = this.groups++
    for (const [at, found] of unit.calls.entries()) {
      this.calls++
      const id = `${this.options.idPrefix ?? 'text-'}${this.calls}`
      const verdict = worth === 'doubt' || this.doubted || this.distrusted ? 'doubt' : verdictOf(resolutions[at]!)
      this.emit(textCall(unit, found, resolutions[at]!, { id, group, raw: at === 0 ? raw : '', verdict }))
    }
  }

  private emit(part: TextPart): void {
    const last = this.parts.at(-1)
    if (part.type === 'reasoning' && last?.type === 'reasoning') last.text += part.text
    else this.parts.push(part)
  }

  private emitText(text: string): void {
    this.recent += text
    if (this.recent.length > CUE_REACH * 10) this.recent = this.recent.slice(-CUE_REACH)
    if (!this.visible && !isBlank(text)) this.visible = true
    const last = this.parts.at(-1)
    if (last?.type === 'text') last.text += text
    else this.parts.push({ type: 'text', text })
  }
}

/** What the loop does with a call that stands on its own. */
function verdictOf(resolution: Resolution): Verdict {
  if (resolution.ok) return resolution.executable ? 'call' : 'cut'
  return resolution.truncated ? 'cut' : 'fault'
}

function textCall(
  unit: Unit,
  found: FoundCall,
  resolution: Resolution,
  placed: Pick<TextCall, 'id' | 'group' | 'raw' | 'verdict'>,
): TextCall {
  const call: TextCall = {
    type: 'call',
    ...placed,
    dialect: unit.dialect,
    name: found.name,
    repairs: [],
    truncated: found.truncated,
  }
  if (found.id !== undefined) call.givenId = found.id
  if (resolution.tool !== undefined) call.tool = resolution.tool
  call.truncated = resolution.truncated
  if (resolution.ok) {
    call.args = resolution.args
    call.repairs = resolution.repairs
  } else call.fault = resolution.fault
  return call
}
