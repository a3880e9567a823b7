// Finds tool calls in a model's text, while it arrives: prose goes through at once, calls come out with a verdict.
// The result does not depend on the chunks, time is linear in the text, no value is ever invented.
// Not here: asking the model back, running anything, remembering the dialect (the agent loop does that).
import { Judge } from './judge-calls.ts'
import { Reader } from './reader.ts'
import { TextScan } from './scan-text.ts'
import { toolIndex } from './tool-index.ts'
import type { ScannerOptions, TextPart } from './types.ts'

export interface TextCallScanner {
  /** Takes a piece of the answer; returns what can be said by now, often only a part of it. */
  feed(chunk: string): TextPart[]
  /**
   * Says that the answer is complete and returns the rest, with the verdicts. `cut: true` when the server ended it
   * at a limit: then a call whose last tag is missing counts as truncated. `cut: false` when the model ended it: then a
   * missing bracket at the very end is a slip and no truncation. Nothing may be fed afterwards.
   */
  end(how?: { cut?: boolean }): TextPart[]
  /** Whether calls were found that are only shown: after `end`. */
  readonly showsCalls: boolean
}

/** Creates the scanner for one answer. `options.tools` must not change while it is used. */
export function createTextCallScanner(options: ScannerOptions): TextCallScanner {
  const reader = new Reader()
  const judge = new Judge(options)
  const steps = new TextScan(reader, judge, toolIndex(options.tools)).run()
  return {
    get showsCalls() {
      return judge.shown
    },
    feed(chunk) {
      reader.push(chunk)
      steps.next()
      return judge.take()
    },
    end(how) {
      reader.ended = true
      if (how?.cut !== undefined) reader.ending = how.cut ? 'cut' : 'stopped'
      steps.next()
      judge.finish(how?.cut ?? false)
      return judge.take()
    },
  }
}

/** Scans a text that is all there; neighbouring text parts are one. */
export function scanText(text: string, options: ScannerOptions, how?: { cut?: boolean }): TextPart[] {
  const scanner = createTextCallScanner(options)
  return joinParts([...scanner.feed(text), ...scanner.end(how)])
}

/** Joins neighbouring parts of text and of reasoning: what is left does not depend on the chunks. */
export function joinParts(parts: readonly TextPart[]): TextPart[] {
  const joined: TextPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if ((part.type === 'text' || part.type === 'reasoning') && last?.type === part.type) last.text += part.text
    else joined.push({ ...part })
  }
  return joined
}
