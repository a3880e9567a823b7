// Finds, in an answer in which no call was found, markup of a call in a form that nobody has taught this program yet. It is
// never run: the model is told how a call is written here, and the user that nothing was done.
import { QUOTE_TAGS, THINK_TAGS } from './tags.ts'
import type { KnownTool } from './types.ts'

/** How far behind a mark the tool's name is looked for, and behind the name what begins its arguments. Characters. */
const NAME_REACH = 300
const ARGUMENTS_REACH = 40
/** More of an answer, and more marks of it, are not looked through. */
const MAX_LENGTH = 200_000
const MAX_MARKS = 200

const FENCED = /^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|$(?![\s\S]))/gm
const SPAN = /(?<!`)(`{1,8})(?!`)[^\n]{0,2000}?[^`]\1(?!`)/g
const QUOTED = /^[ \t]*>(?!>>)[^\n]*$/gm
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const TOLD = new RegExp(`<(${[...QUOTE_TAGS, ...THINK_TAGS].join('|')})\\b[^>]*>[\\s\\S]*?(?:</\\1>|$)`, 'gi')
/** A mark right behind a quotation mark, with its line. */
const IN_QUOTES = /["'“‘«„][<[][^\n]*/g

/** Marks that models write around calls: special tokens, words in capitals in brackets, tags that speak of calls. */
const MARK =
  /<[|｜][\w▁:. /-]{2,40}[|｜]?>|<[a-z][\w|:]{2,40}\|>|\[[A-Z][A-Z0-9_]{3,40}\]|<[\w:.|-]*(?:tool|function|call|invoke|action)[\w:.|-]*(?:\s[^<>\n]{0,100})?>/gi

/** The tool that a call in an unknown form seems to name, or undefined. */
export function unreadCall(answer: string, tools: readonly KnownTool[]): string | undefined {
  if (answer.length > MAX_LENGTH || !/[<[]/.test(answer)) return undefined
  const text = [COMMENT, FENCED, SPAN, QUOTED, TOLD, IN_QUOTES].reduce(
    (left, quoted) => left.replace(quoted, ''),
    answer,
  )
  let marks = 0
  for (const mark of text.matchAll(MARK)) {
    if (++marks > MAX_MARKS) return undefined
    // In capitals means in capitals: the flag is for the tags.
    if (mark[0].startsWith('[') && mark[0] !== mark[0].toUpperCase()) continue
    const window = text.slice(mark.index, mark.index + mark[0].length + NAME_REACH)
    const named = tools.find(({ name }) => opensArguments(window, name))
    if (named) return named.name
  }
  return undefined
}

/** Whether the name stands there as a whole word with something behind it that begins arguments. */
function opensArguments(window: string, name: string): boolean {
  for (let at = window.indexOf(name); at >= 0; at = window.indexOf(name, at + 1)) {
    const before = window[at - 1] ?? ' '
    const rest = window.slice(at + name.length, at + name.length + ARGUMENTS_REACH)
    if (
      !/\w/.test(before) &&
      /^["'>\])\s,|:]{0,6}(?:[{([<=]|\w+["']?\s*[:=]|["']?(?:arguments|parameters|args|input)\b)/.test(rest)
    )
      return true
  }
  return false
}
