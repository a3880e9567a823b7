// Where thinking begins and ends in a message, by the marks of its model, and what of it waits until its end is seen.
import type { Reader } from './reader.ts'
import { tagAhead, THINK_TAGS } from './tags.ts'

/** Marks around thinking other than tags. Lower case. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['[think]', '[/think]'],
  ['[unused16]', '[unused17]'],
  ['◁think▷', '◁/think▷'],
  ['<|channel>', '<channel|>'],
  ['<|start_thinking|>', '<|end_thinking|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|think|>', '<|end|>'],
  ['<|content_thinking|>', '<|end_message|>'],
  ['<|plamo:begin_think:plamo|>', '<|plamo:end_think:plamo|>'],
  ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
]

/** Closing marks that say by themselves that thinking ends, though its opening stood in the prompt. */
const ENDS: readonly string[] = [
  ...MARKS.map(([, close]) => close).filter((close) => close !== '<|end|>' && close !== '<|end_message|>'),
  '[begin final response]',
]

/** The marks of thinking that open at the current place. */
export const thinkMark = (reader: Reader): readonly [open: string, close: string] | undefined =>
  MARKS.find(([open]) => reader.looksAt(open))

/** Length of the mark at the current place that ends thinking, or 0. */
export const thinkEndMark = (reader: Reader): number => ENDS.find((close) => reader.looksAt(close))?.length ?? 0

/** Length of the closing tag of thinking at the current `<`, or 0: any of them closes any other. */
export function thinkEndTag(reader: Reader): number {
  const { bare, close, end } = tagAhead(reader)
  return close && THINK_TAGS.has(bare) && reader.code(end) === 62 ? end + 1 : 0
}

/** What opens a call in special tokens; thinking that is never closed ends there. */
const OPENS_CALL =
  /<(?:[a-z]{1,10}[:|_])?(?:tool_?calls?|function_calls?)(?::\w{1,20})?>|<[|｜](?:[a-z]{2,8}[|｜](?:tool|function)_calls>|tool[▁_ ]calls?(?:[▁_ :]|[|｜]?>)|python_tag\||start_action\||function_call\||open\|>tools<|tools_prefix\|)|<start_function_call>|<function=\w|<function name=|<invoke name=|<\|plamo:begin_tool_requests?:|\[unused11\]|\[TOOL_CALLS\]|\[TOOL_REQUEST\]|\]<\]minimax\[>\[</i
/** No longer than this is the beginning of one that is not all there yet. */
const MAX_OPENING = 48

/**
 * The text of one stretch of thinking. It goes through at once up to what opens a call; from there on it is retained
 * until it is known whether the thinking is closed: only then was the call a thought.
 */
export class Thought {
  /** From the opening of a call on. */
  retained = ''
  private readonly emit: (text: string) => void
  private tail = ''

  constructor(emit: (text: string) => void) {
    this.emit = emit
  }

  add(text: string): void {
    if (this.retained !== '') {
      this.retained += text
      return
    }
    this.tail += text
    const at = this.tail.search(OPENS_CALL)
    if (at >= 0) {
      this.emit(this.tail.slice(0, at))
      this.retained = this.tail.slice(at)
      this.tail = ''
    } else if (this.tail.length > MAX_OPENING) {
      this.emit(this.tail.slice(0, -MAX_OPENING))
      this.tail = this.tail.slice(-MAX_OPENING)
    }
  }

  /** The thinking is over: all of it was thinking. */
  close(): void {
    this.emit(this.tail + this.retained)
    this.tail = ''
    this.retained = ''
  }

  /** The message ended in it: what follows the opening of a call is given back, and was no thinking. */
  abandon(): string {
    const { retained } = this
    this.emit(this.tail)
    this.tail = ''
    this.retained = ''
    return retained
  }
}
