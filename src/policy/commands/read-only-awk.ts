import type { Word } from './segment.ts'

/** Words behind which a slash starts a regular expression. */
const EXPECTS_OPERAND = /[(,{};!~&|?:=<>+*%^\n-]$/
/** Names through which a program runs commands, reads other files, or sees the environment. */
const REACHES = /\b(?:system|getline|ENVIRON|PROCINFO|ARGV|ARGC|SYMTAB|FUNCTAB|extension)\b|[@\\]/

/**
 * Tells whether an awk program only prints what it computes from its input: no commands, pipes, redirections, other files or
 * environment. What cannot be told apart with certainty, such as a division from a regular expression, is not.
 */
export function onlyPrints(program: string): boolean {
  const code = withoutTexts(program)
  if (code === undefined || REACHES.test(code)) return false
  let parentheses = 0
  let braces = 0
  for (const [at, char] of Array.from(code.replaceAll('||', '  ')).entries()) {
    if (char === '(') parentheses++
    else if (char === ')') parentheses--
    else if (char === '{') braces++
    else if (char === '}') braces--
    else if (char === '|') return false
    // In an action `>` writes to a file, unless it stands in parentheses; in a pattern it compares.
    else if (char === '>' && (code[at + 1] === '>' || (braces > 0 && parentheses === 0 && code[at + 1] !== '=')))
      return false
    if (parentheses < 0 || braces < 0) return false
  }
  return parentheses === 0 && braces === 0
}

/** The program with texts, regular expressions and comments emptied; undefined when their ends are not certain. */
function withoutTexts(program: string): string | undefined {
  let code = ''
  for (let at = 0; at < program.length; at++) {
    const char = program[at]!
    if (char === '#') {
      while (at + 1 < program.length && program[at + 1] !== '\n') at++
    } else if (char === '"') {
      const end = endOf(program, at + 1, '"')
      if (end < 0) return undefined
      code += '""'
      at = end
    } else if (char === '/') {
      const before = code.trimEnd()
      const starts = before === '' || EXPECTS_OPERAND.test(before) || /\n\s*$/.test(code)
      if (/(?:\+\+|--)$/.test(before)) return undefined
      if (!starts) {
        // A division: only behind a name that is no keyword, a number or an index.
        const word = /(?:([A-Za-z_]\w*)|[\d\]])$/.exec(before)
        if (!word || /^(?:print|printf|return|in|else|do|case|length|getline|exit)$/.test(word[1] ?? ''))
          return undefined
        code += char
        continue
      }
      const end = endOf(program, at + 1, '/')
      const text = program.slice(at + 1, end)
      // Some read a slash in brackets as the end, some do not.
      if (end < 0 || /\[[^\]]*$/.test(text.replaceAll(/\\./g, ''))) return undefined
      code += 'R'
      at = end
    } else code += char
  }
  return code
}

function endOf(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === mark) return at
  }
  return -1
}

/** Tells whether a call of awk only prints: separators, variables, one program that does, then files. */
export function readOnlyAwk(args: readonly Word[]): boolean {
  let at = 0
  for (; at < args.length; at++) {
    const { value, glob } = args[at]!
    if (value === undefined || glob) return false
    if (value === '--') {
      at++
      break
    }
    if (!value.startsWith('-')) break
    if (/^-[Fv]$/.test(value)) {
      at++
      if (args[at]?.value === undefined) return false
    } else if (!/^-F.|^-v[A-Za-z_]\w*=/.test(value)) return false
  }
  const program = args[at]
  if (program?.value === undefined || program.glob || !onlyPrints(program.value)) return false
  // gawk takes options behind the program for file names, busybox and others may not.
  return args.slice(at + 1).every((word) => !(word.value ?? word.prefix).startsWith('-') || word.value === '-')
}
