// How calls and results stand in the conversation of a model that is told of tools in the text. One form, the one the
// instructions teach; a result is fenced, and nothing in it can look like the end of the fence or like a call.
import type { ToolCall } from '../protocol/index.ts'
import type { TextCalls } from './to-request.ts'

/** Marks that open or close a call or a result in some dialect; inside a result they are shown with a gap. */
const MARKS = /<(\/?(?:tool_result|tool_call|function|invoke|parameter)\b)|\[(TOOL_CALLS\])/g

const harmless = (text: string): string =>
  text.replace(MARKS, (_, tag: string | undefined, token: string | undefined) =>
    tag === undefined ? `[ ${token}` : `< ${tag}`,
  )

/** A result in its fence. */
export const fencedResult = ({ name }: ToolCall, text: string): string =>
  `<tool_result name="${name}">\n${harmless(text)}\n</tool_result>`

export const hermesCalls: TextCalls = {
  call: ({ name, args }: ToolCall) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  result: fencedResult,
}
