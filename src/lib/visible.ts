/** Text from outside, safe to write to a terminal: control characters are shown instead of obeyed; tabs become spaces. */
export function visible(text: string): string {
  return text
    .replaceAll('\t', '    ')
    .replaceAll(
      // A line end stays: the caller has split at those it means.
      /(?!\n)\p{Cc}/gu,
      (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
}
