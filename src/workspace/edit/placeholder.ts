// Finds the words with which a model stands in for code it did not write out ("rest of the code unchanged").
// Written into a file they would delete what they stand for. Only a line that is nothing but such words counts.

const OPENERS = /^(?:\/\/+|\/\*+|\*|#+|--+|;+|%+|<!--|\{\/\*|"""|'''|rem\b)\s*/i
const CLOSERS = /\s*(?:\*\/\}?|-->|"""|''')$/
const DOTS = /^(?:\.{3,}|…)\s*|\s*(?:\.{3,}|…)$|\s+(?:\.{3,}|…)(?=\s)/g

const WHAT =
  'code|file|function|functions|class|classes|method|methods|component|implementation|implementations|module|script|body|content|contents|logic|imports?|props|fields|properties|tests?|lines|styles|rules|markup|html|definitions?|declarations?|parts?|sections?|stuff|items?|cases?|config|configuration|variables|routes|handlers|setup'
const WHOSE = '(?:the |your |our |this |my |that |its |all |all the |all other |any )?'
const STATE =
  '(?:remains?|remain|stays?|stay|is|are|kept|keep|goes|left|continues?)?\\s*(?:here|there|unchanged|untouched|intact|omitted|the same|same|as is|as-is|as before|as it was|identical|below|above|for brevity|in place|exactly as before|not shown)?(?:\\s*(?:here|unchanged|as before|for brevity|the same|as is|omitted))?'
const WITH_WORDS = [
  new RegExp(
    `^(?:keep |and )?${WHOSE}(?:rest|remainder|remaining part) of ${WHOSE}(?:existing |original |previous |current )?(?:${WHAT})\\s*${STATE}$`,
  ),
  new RegExp(
    `^(?:keep |insert |include |and )?${WHOSE}(?:existing|unchanged|previous|original|remaining|rest|other|same|earlier|prior)\\s+(?:existing |original |unchanged )?(?:${WHAT})(?: (?:and|or) (?:${WHAT}))?\\s*${STATE}$`,
  ),
  new RegExp(
    `^${WHOSE}(?:${WHAT})\\s+(?:remains?|stays?|is|are|continues?)\\s*(?:unchanged|untouched|the same|as is|as before|omitted)(?: .{0,20})?$`,
  ),
  /^(?:the )?(?:rest|remainder)(?: (?:is|stays|remains))?(?: (?:unchanged|the same|omitted|as before|as is))$/,
  /^(?:same|unchanged|identical|exactly) (?:code )?as (?:before|above|original|the original|previous(?:ly)?)$/,
  /^no changes? (?:here|needed|below|above|to .{1,30})$/,
  /^(?:unchanged|omitted(?: for brevity)?|snip|snipped|truncated|code omitted|rest unchanged|etc)$/,
]
// With an ellipsis beside them fewer words are proof enough.
const WITH_DOTS =
  /\b(?:rest|remaining|remainder|existing|unchanged|previous|original|omitted|same|brevity|other|as before|snip|more|keep|etc|unmodified)\b/

/** Lines of `newText` that stand for code which is not there, and that `oldText` does not have; 1-based line numbers. */
export function newPlaceholders(oldText: string, newText: string, prose: boolean): { line: number; text: string }[] {
  const before = new Map<string, number>()
  for (const line of oldText.split('\n')) before.set(line.trim(), (before.get(line.trim()) ?? 0) + 1)
  return newText
    .split('\n')
    .map((text, at) => ({ line: at + 1, text: text.trim() }))
    .filter(({ text }) => {
      if (!isPlaceholder(text, prose)) return false
      const left = before.get(text) ?? 0
      before.set(text, left - 1)
      return left <= 0
    })
}

/** Whether a line is nothing but a placeholder. In prose (Markdown, plain text) a bare `// ...` may be an example. */
export function isPlaceholder(line: string, prose: boolean): boolean {
  const trimmed = line.trim()
  if (trimmed.length < 3 || trimmed.length > 120) return false
  const opened = trimmed.replace(OPENERS, '').replace(CLOSERS, '').trim()
  const commented = opened !== trimmed
  const unwrapped = opened.replace(/^[[({<]+\s*/, '').replace(/\s*[\])}>]+$/, '')
  const words = unwrapped.replace(DOTS, '').replace(DOTS, '').trim()
  const dotted = words !== unwrapped.trim()
  if (!commented && !dotted && unwrapped === opened) return false
  if (words === '') return commented && dotted && !prose
  const plain = words
    .toLowerCase()
    .replace(/[.:!]+$/, '')
    .replace(/\s+/g, ' ')
  if (WITH_WORDS.some((pattern) => pattern.test(plain))) return true
  return (
    dotted &&
    /^[\w\s'(),/&-]+$/.test(plain) &&
    plain.split(' ').length <= 9 &&
    WITH_DOTS.test(plain) &&
    (commented || isProse(plain))
  )
}

/** Words only, so that a spread (`...rest`, `...existing.props`) is no placeholder. */
function isProse(text: string): boolean {
  return text.split(' ').length >= 2
}
