// How much of a result a model gets to read. Characters are UTF-16 code units; a token is taken as 4 of them.
import type { ToolResult } from '../protocol/index.ts'

const CHARACTERS_PER_TOKEN = 4
/** Every result may have as much, where the window allows it. */
const BASE_CHARACTERS = 8_000
/** Where 5 % of the window is more than the base, that much: a file of 20 KB goes through a 128k window whole. */
const WINDOW_SHARE = 0.05
/** No window is so large that a result should be larger. */
const MOST_CHARACTERS = 50_000
/** Never more than this part of the window, whatever is configured. */
const SINGLE_SHARE = 0.2
/** All results of one response together. */
const RESPONSE_SHARE = 0.25
/** What every further call of the response is left with when the first ones were long. */
export const RESERVED_CHARACTERS = 400

/** Characters one result may have in a window of so many tokens. `configured` is `tools.maxResultChars`. */
export function resultCap(window: number, configured?: number): number {
  const wanted = configured ?? Math.min(MOST_CHARACTERS, Math.max(BASE_CHARACTERS, share(window, WINDOW_SHARE)))
  return Math.max(RESERVED_CHARACTERS, Math.min(wanted, share(window, SINGLE_SHARE)))
}

/** Characters all results of one response may have together. */
export function responseCap(window: number): number {
  return share(window, RESPONSE_SHARE)
}

function share(window: number, part: number): number {
  return Math.floor(window * part * CHARACTERS_PER_TOKEN)
}

export interface CutText {
  text: string
  truncated: boolean
}

/**
 * Cuts the middle out of a text at line ends, so that it has at most `limit` characters with the note at the cut.
 * The note says how many characters are gone and how to get them (`rest`). A single long line is cut inside.
 *
 * @param limit at least RESERVED_CHARACTERS
 * @param gone characters that were taken out of the middle before; they are counted with the rest
 */
export function cutMiddle(text: string, limit: number, rest: string, gone = 0): CutText {
  if (text.length <= limit && gone === 0) return { text, truncated: false }
  const note = (omitted: number): string => `\n… ${omitted + gone} characters left out here. ${rest} …\n`
  const room = limit - note(text.length).length
  // Two thirds for the head: definitions and the first error stand there; summaries stand at the end.
  const head = headOf(text, Math.floor((room * 2) / 3))
  const tail = tailOf(text, room - head.length)
  return { text: `${head}${note(text.length - head.length - tail.length)}${tail}`, truncated: true }
}

function headOf(text: string, room: number): string {
  const end = text.lastIndexOf('\n', room)
  // Half of the room or more is lost to one long line: that line is cut instead.
  if (end >= room / 2) return text.slice(0, end)
  return text.slice(0, isHighSurrogate(text, room - 1) ? room - 1 : room)
}

function tailOf(text: string, room: number): string {
  const from = text.length - room
  const line = text.indexOf('\n', from - 1) + 1
  if (line > 0 && text.length - line >= room / 2) return text.slice(line)
  return text.slice(isHighSurrogate(text, from - 1) ? from + 1 : from)
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd8_00 && code <= 0xdb_ff
}

/** Characters above which a text is not hidden in and cut as a whole. */
const LONG = 1_000_000
const REST = 'Ask for less at once to see it'

/** Cuts the results of one response to size, in order: what the first ones leave is shared by the later ones. */
export class ResultSizes {
  readonly #single: number
  #left: number
  #calls: number

  /** @param calls results that will come */
  constructor(window: number, configured: number | undefined, calls: number) {
    this.#single = resultCap(window, configured)
    this.#left = responseCap(window)
    this.#calls = calls
  }

  /**
   * The result with its lines at the end, cut to what it may have.
   *
   * @param hide takes secrets out of a text; before the cut, so that no half of one is left
   */
  fit(result: ToolResult, lines: readonly string[], rest = REST, hide = (text: string) => text): ToolResult {
    this.#calls -= 1
    const fair = this.#left - this.#calls * RESERVED_CHARACTERS
    const limit = Math.max(RESERVED_CHARACTERS, Math.min(this.#single, fair))
    const ending = lines.map((line) => `\n${line}`).join('')
    const room = Math.max(RESERVED_CHARACTERS, limit - ending.length)
    const { text: whole } = result
    // Of a very long text only what may be kept is looked through, with as much again on either side of the cut.
    const far = whole.length > LONG ? 2 * room : 0
    const shown = far === 0 ? hide(whole) : `${hide(whole.slice(0, far))}\n${hide(whole.slice(-far))}`
    const cut = cutMiddle(shown, room, rest, far === 0 ? 0 : whole.length - 2 * far)
    const text = cut.text + ending
    this.#left -= text.length
    return { ...result, text, ...(cut.truncated || result.truncated ? { truncated: true } : {}) }
  }

  /** Adds what is not the tool's own; it is not cut, and later results have so much less. */
  add(result: ToolResult, text: string): ToolResult {
    this.#left -= text.length
    return { ...result, text: `${result.text}\n${text}` }
  }
}
