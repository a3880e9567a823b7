/* oxlint-disable no-misleading-character-class -- single code points are meant */
// The one place that makes text from outside (files, commands, models, servers) fit for a terminal: what a terminal obeys
// instead of showing it, and what reads otherwise than it stands, is written out. What is approved looks like what runs.

/**
 * Controls (C0, C1, DEL), formats (bidi, zero width, tags, soft hyphen), line and paragraph separators, blank fillers,
 * variation selectors. https://www.unicode.org/reports/tr36/ and https://trojansource.codes/
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\u2028\u2029\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\uFE00-\uFE0F\u{E0000}-\u{E0FFF}]/u
const EVERY_HIDDEN = new RegExp(HIDDEN.source, 'gu')
/** Emoji and some scripts are written with joiners and one selector: behind a sign of theirs these hide nothing. */
const JOINS = /^[\u200C\u200D\uFE0F]$/
const JOINABLE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u200D\u20E3]$|[^\p{ASCII}\p{Cf}]$/u
/** The colours and styles that codehound itself writes; concealed text (8) is not among them. */
// oxlint-disable-next-line no-control-regex
const OWN_STYLE = /(\u001B\[(?:(?!0?8[;m])[0-9]{0,3}(?:;(?!0?8[;m])[0-9]{1,3})*)m)/

/** Text from outside, safe to write to a terminal: control characters are shown instead of obeyed; tabs become spaces. */
export function visible(text: string): string {
  if (!HIDDEN.test(text)) return text
  return text.replaceAll('\t', '    ').replace(EVERY_HIDDEN, (char: string, at: number, whole: string) => {
    // A line end stays: the caller has split at those it means.
    if (char === '\n') return char
    if (JOINS.test(char) && JOINABLE.test(whole.slice(Math.max(0, at - 2), at))) return char
    const code = char.codePointAt(0)!
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** What a command is about to write to a terminal: as `visible`, but with codehound's own colours. JSON stays JSON. */
export function forTerminal(text: string): string {
  if (!HIDDEN.test(text)) return text
  return text
    .split(OWN_STYLE)
    .map((part, at) => (at % 2 === 1 ? part : visible(part)))
    .join('')
}
