// Finds attachments in what a user typed. Pure. `@` points (path, lines, folder), `@@` brings the content; the words stay in
// the text, so that the model reads what the user wrote. An `@` inside a word (an e-mail address) is none.

export type Mention =
  | { kind: 'path'; ref: string; whole: boolean; path: string; lines?: { start: number; end: number } }
  | { kind: 'symbol'; ref: string; name: string }
  | { kind: 'diff'; ref: string }
  | { kind: 'todo'; ref: string }
  | { kind: 'config'; ref: string }
  | { kind: 'url'; ref: string; url: string }
  | { kind: 'note'; ref: string; title: string }
  | { kind: 'template'; ref: string; name: string }

const MENTION = /(?<=^|[\s(["'])(@@?)("[^"]+"|note:"[^"]+"|[^\s"'()[\]]+)/g
/** Marks that end a sentence, not a path. */
const TRAILING = /[.,;:!?]+$/
const LINES = /^(.+):(\d+)(?:-(\d+))?$/

function read(sign: string, word: string): Mention | undefined {
  const quoted = word.startsWith('"')
  const name = quoted ? word.slice(1, -1) : word.replace(TRAILING, '')
  if (name === '') return undefined
  const ref = `${sign}${quoted ? word : name}`
  if (sign === '@') {
    if (/^https?:\/\//.test(name)) return { kind: 'url', ref, url: name }
    if (name.startsWith('symbol:') && name.length > 7) return { kind: 'symbol', ref, name: name.slice(7) }
    if (name.startsWith('template:') && name.length > 9) return { kind: 'template', ref, name: name.slice(9) }
    if (name.startsWith('note:') && name.length > 5)
      return { kind: 'note', ref, title: name.slice(5).replaceAll('"', '') }
    if (name === 'diff' || name === 'todo' || name === 'config') return { kind: name, ref }
  }
  const [, path, start, end] = LINES.exec(name) ?? []
  if (path !== undefined && start !== undefined) {
    const first = Number(start)
    return {
      kind: 'path',
      ref,
      whole: true,
      path,
      lines: { start: first, end: end === undefined ? first : Number(end) },
    }
  }
  return { kind: 'path', ref, whole: sign === '@@', path: name }
}

/** Mentions in the order of the text, each once. */
export function parseMentions(text: string): Mention[] {
  const found = new Map<string, Mention>()
  for (const [, sign, word] of text.matchAll(MENTION)) {
    const mention = read(sign ?? '@', word ?? '')
    if (mention && !found.has(mention.ref)) found.set(mention.ref, mention)
  }
  return [...found.values()]
}
