import { CUE_REACH, isShown } from './cues.ts'
import type { FoundCall, Unit } from './found.ts'
import { resolveFound } from './resolve-call.ts'
import { toolIndex, type ToolIndex } from './tool-index.ts'
import type { Resolution, ScannerOptions, TextCall, TextPart, Verdict } from './types.ts'

/** More calls in one message are the noise of a model that repeats itself; ten are run at most. */
const MAX_CALLS = 200

/** Where calls stand in the message: nothing but calls in it; after prose, at the end; with prose after them. */
type Position = 'alone' | 'tail' | 'middle'

type Held = { unit: Unit; raw: string } | { part: TextPart } | { noise: string }

/**
 * Puts the scanner's finds in order and decides what each call is worth, once it is known what stands around
 * it. Calls are held until the next prose or the end; text is let through at once unless calls are held before it.
 */
export class Judge {
  private readonly index: ToolIndex
  private readonly options: ScannerOptions
  private parts: TextPart[] = []
  private held: Held[] = []
  private prose = false
  private recent = ''
  private doubted = false
  private distrusted = false
  private calls = 0
  private weighed = 0
  private units = 0
  private groups = 0
  /** Set while the text is a preamble that the model's own format keeps apart from its answer. */
  aside = false

  constructor(options: ScannerOptions) {
    this.options = options
    this.index = toolIndex(options.tools)
  }

  text(text: string): void {
    if (text === '') return
    if (!/\S/.test(text)) {
      if (this.held.length > 0) this.held.push({ part: { type: 'text', text } })
      else this.emitText(text)
      return
    }
    this.settle('middle')
    this.emitText(text)
    if (!this.aside) this.prose = true
  }

  /** Markup that is shown only if prose follows: stray closing tags and end tokens. */
  noise(raw: string): void {
    this.held.push({ noise: raw })
  }

  reasoning(text: string): void {
    if (text === '') return
    const last = this.held.length > 0 ? this.held.at(-1) : undefined
    if (last && 'part' in last && last.part.type === 'reasoning') last.part.text += text
    else if (this.held.length > 0) this.held.push({ part: { type: 'reasoning', text } })
    else this.emit({ type: 'reasoning', text })
  }

  /** Everything so far was reasoning after all. */
  reasoningBefore(): void {
    for (const each of this.held) {
      if ('part' in each) this.emit(each.part)
      else this.emitText('unit' in each ? each.raw : each.noise)
    }
    this.held = []
    this.emit({ type: 'reasoning-before' })
    this.prose = false
    this.recent = ''
    this.doubted = false
  }

  /** Every call from here on is in doubt. */
  distrust(): void {
    this.settle('middle')
    this.distrusted = true
  }

  unit(unit: Unit, raw: string): void {
    this.units++
    this.held.push({ unit, raw })
  }

  /** Decides what is held: the message is over. `cut`: at the server's limit. */
  finish(cut: boolean): void {
    // A model that ends its turn right after opening one more call had no more to call.
    const last = this.held.at(-1)
    if (!cut && this.units > 1 && last && 'unit' in last && last.unit.calls.every((call) => call.empty)) {
      this.held[this.held.length - 1] = { noise: last.raw }
    }
    this.settle(this.prose ? 'tail' : 'alone')
  }

  take(): TextPart[] {
    const { parts } = this
    this.parts = []
    return parts
  }

  private settle(position: Position): void {
    if (this.held.length === 0) return
    const { held } = this
    this.held = []
    const shown = position !== 'alone' && isShown(this.recent)
    let judged = held.map((each) => ('unit' in each ? this.weigh(each.unit, position, shown) : undefined))
    // What is no call after all is prose: it moves the others from the end of the message into its middle.
    const text = position === 'middle' ? -1 : judged.findLastIndex((each) => each?.worth === 'text')
    if (text >= 0) {
      judged = held.map((each, at) => {
        if (!('unit' in each) || at === text) return judged[at]
        return this.weigh(each.unit, at < text ? 'middle' : 'tail', shown)
      })
    }
    // Order is kept: what follows a call in doubt waits for the answer too.
    if (judged.some((each) => each?.worth === 'doubt')) this.doubted = true
    for (const [at, each] of held.entries()) {
      const verdicts = judged[at]
      if ('part' in each) {
        if (each.part.type === 'text') this.emitText(each.part.text)
        else this.emit(each.part)
      } else if ('noise' in each) {
        if (position === 'middle') this.emitText(each.noise)
      } else if (!verdicts || verdicts.worth === 'text') {
        this.emitText(each.raw)
        this.prose = true
      } else this.emitCalls(each.unit, each.raw, verdicts.resolutions, verdicts.worth)
    }
  }

  /** What a stretch of calls is worth where it stands. */
  private weigh(
    unit: Unit,
    position: Position,
    shown: boolean,
  ): { worth: 'call' | 'doubt' | 'text'; resolutions: Resolution[] } {
    this.weighed += unit.calls.length
    if (this.weighed > MAX_CALLS) return { worth: 'text', resolutions: [] }
    const resolutions = unit.calls.map((call) => resolveFound(call, this.index))
    const some = resolutions.some((each) => each.ok)
    const named = unit.calls.some((call) => this.index.exact.has(call.name))
    const certain = some || named
    const own = unit.dialect === this.options.dialect && !this.options.madeNativeCalls
    const loose = unit.calls.some((call) => call.loose)
    const worth = (): 'call' | 'doubt' | 'text' => {
      if (position === 'alone') {
        if (loose) return some ? 'doubt' : 'text'
        if (certain || unit.strong) return 'call'
        return unit.dialect === 'element' ? 'text' : 'doubt'
      }
      if (position === 'tail') {
        if (loose) return 'text'
        const quoted = unit.place === 'inline' ? !unit.strong : unit.place === 'fence' && unit.dialect !== 'json'
        if (own && !shown && !quoted && (certain || unit.strong)) return 'call'
        return certain || (own && unit.strong) ? 'doubt' : 'text'
      }
      if (shown || loose || (unit.place === 'inline' && !unit.strong)) return 'text'
      return some || (own && unit.strong) ? 'doubt' : 'text'
    }
    return { worth: worth(), resolutions }
  }

  private emitCalls(unit: Unit, raw: string, resolutions: Resolution[], worth: 'call' | 'doubt'): void {
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
