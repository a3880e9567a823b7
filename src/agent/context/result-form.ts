// How a tool result looks in the prompt once it was cut, stubbed or superseded. Pure; the stored result stays whole, so
// every form says how to see it again.
import type { ToolCall } from '../../protocol/index.ts'
import type { ResultForm } from './view.ts'

/** Results up to this length are left alone (context.md): cutting them saves less than it costs. Characters. */
export const CUT_ABOVE_CHARS = 2000
const KEPT_END_CHARS = 500

const again = (call: ToolCall): string => `${call.name} ${JSON.stringify(call.args)}`

function cut(text: string, call: ToolCall): string {
  if (text.length <= CUT_ABOVE_CHARS) return text
  const headEnd = text.lastIndexOf('\n', KEPT_END_CHARS)
  const tailStart = text.indexOf('\n', text.length - KEPT_END_CHARS)
  const head = text.slice(0, headEnd > 0 ? headEnd : KEPT_END_CHARS)
  const tail = text.slice(tailStart > 0 ? tailStart + 1 : text.length - KEPT_END_CHARS)
  const omitted = text.length - head.length - tail.length
  return `${head}\n[… ${omitted} characters left out to save room; to see them: ${again(call)}]\n${tail}`
}

/** What a result says of itself in its first line (exit code, size) stays. */
const HEAD_LENGTH = 120

function stub(text: string, call: ToolCall): string {
  const end = text.indexOf('\n')
  const head = end > 0 && end <= HEAD_LENGTH ? text.slice(0, end + 1) : ''
  return `${head}[${text.length - head.length} characters left out to save room; to load them again: ${again(call)}]`
}

/** What stands for an attachment that was left out; what names it stays. */
export function leftOut(data: string): string {
  const end = data.indexOf('\n')
  const head = end > 0 && end <= HEAD_LENGTH ? data.slice(0, end + 1) : ''
  const tail = /\n<\/attachment>$/.exec(data)?.[0] ?? ''
  const omitted = data.length - head.length - tail.length
  return `${head}[${omitted} characters left out by the user; load them again with a tool if you need them]${tail}`
}

/** Text of a result in a form; `whole` text goes in. Never longer than what goes in. */
export function inForm(text: string, form: ResultForm | undefined, call: ToolCall): string {
  if (form === undefined) return text
  const short =
    form === 'cut'
      ? cut(text, call)
      : form === 'stub'
        ? stub(text, call)
        : `[left out: a later call shows the same, newer]`
  return short.length < text.length ? short : text
}
