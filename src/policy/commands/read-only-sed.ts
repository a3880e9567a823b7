import type { Word } from './segment.ts'

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\[^\n])*/[IM]*)`
/** What may stand before a command: `1,5`, `/a/,+3!`. */
const ADDRESSES = new RegExp(`^(?:${ADDRESS}(?:\\s*,\\s*(?:[+~]\\d+|${ADDRESS}))?)?\\s*(?:!\\s*)*`)
/** Commands without arguments that touch no file: no `r`, `w`, `e`. */
const BARE = /^(?:[pdPDgGhHxnN=Fz]|[lqQ](?:\s*\d+)?)\s*(?=[;}\n#]|$)/
const LABEL = /^(?::\s*\w+|[btT](?:[ \t]*\w+)?)\s*(?=[;}\n]|$)/
/** Text to be printed, to the end of its line. */
const TEXT = /^[aic](?![ \t]*\\)[^\\\n]*(?=\n|$)/

/** Tells whether a script of sed only changes what it prints; what is not understood does not. */
function onlyPrints(script: string): boolean {
  let rest = script
  let depth = 0
  for (;;) {
    rest = rest.replace(/^(?:[\s;]|#[^\n]*(?:\n|$))+/, '')
    if (rest === '') return depth === 0
    if (rest.startsWith('}')) {
      if (--depth < 0) return false
      rest = rest.slice(1)
      continue
    }
    const address = ADDRESSES.exec(rest)![0]
    if (isUnclear(address)) return false
    rest = rest.slice(address.length)
    if (rest.startsWith('{')) {
      depth++
      rest = rest.slice(1)
      continue
    }
    const length = (BARE.exec(rest) ?? LABEL.exec(rest) ?? TEXT.exec(rest))?.[0].length ?? substitution(rest)
    if (length <= 0) return false
    rest = rest.slice(length)
  }
}

/** Some take a bracket's content as text up to its end, some stop at the delimiter. */
function isUnclear(pattern: string): boolean {
  return /\[[^\]]*\/?$/.test(pattern.replaceAll(/\\./g, '').replace(/\/[IM]*$/, ''))
}

/** Length of an `s` or `y` command whose flags neither run nor write; 0 when it is none. */
function substitution(text: string): number {
  const mark = text[1]
  if (!/^[sy]/.test(text) || mark === undefined || /[\\\n\w\s]/.test(mark)) return 0
  let at = 2
  for (let part = 0; part < 2; part++) {
    const from = at
    while (at < text.length && text[at] !== mark) at += text[at] === '\\' ? 2 : 1
    if (at >= text.length) return 0
    if (part === 0 && isUnclear(text.slice(from, at))) return 0
    at++
  }
  const flags = /^[gpiIM\d]*[ \t]*(?=[;}\n#]|$)/.exec(text.slice(at))
  if (!flags || (text.startsWith('y') && flags[0].trim() !== '')) return 0
  return at + flags[0].length
}

/** Tells whether a call of sed only prints: quiet options, scripts that only print, then files. */
export function readOnlySed(args: readonly Word[]): boolean {
  const scripts: string[] = []
  const operands: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    const { value } = word
    if (value === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (value === undefined || word.glob || !value.startsWith('-') || value === '-') {
      // A file name that the shell makes could be an option.
      if ((value ?? word.prefix) === '' || (value === undefined && word.prefix.startsWith('-'))) return false
      operands.push(word)
      continue
    }
    const expression = /^(?:--expression=|-[nEruzs]*e)([^]*)$/.exec(value)
    if (expression || value === '--expression') {
      const attached = expression?.[1] ?? ''
      const script = attached === '' ? args[++at]?.value : attached
      if (script === undefined || args[at]!.glob) return false
      scripts.push(script)
    } else if (!/^-(?:[nEruzs]+|-quiet|-silent|-regexp-extended|-posix|-sandbox|-separate|-null-data)$/.test(value))
      return false
  }
  if (scripts.length === 0) {
    const [script] = operands
    if (script?.value === undefined || script.glob) return false
    scripts.push(script.value)
  }
  // They are lines of one script: a block may start in one and end in the next.
  return onlyPrints(scripts.join('\n'))
}
