// From what a model wrote to calls that can run: the tool a name means, arguments mended and coerced, every repair named,
// in the provider's own form or in the text. What cannot be read becomes a fault that shows a right form; nothing is invented.
import { example, resolveCall } from '../model/text-calls/resolve-call.ts'
import { createTextCallScanner } from '../model/text-calls/scanner.ts'
import { unreadCall } from '../model/text-calls/unread-call.ts'
import type { CallFault, Dialect, KnownTool, TextCall as FoundCall, TextPart } from '../model/text-calls/types.ts'
import type { ToolFormat } from '../model/tool-format.ts'
import type { ToolEntry, ToolRegistry } from '../tools/registry.ts'
import type { BatchCall } from '../tools/batch-call.ts'
import type { CallResolver, ScannedText, TextCall, TextScanner } from './ports.ts'

/** A tool as the parser knows it: argument names that models bring from elsewhere count under every name of the tool. */
function known(entry: ToolEntry): KnownTool {
  const { name, description, effect, parameters: schema, synonyms = {}, usual = [] } = entry
  const aliases = [...entry.aliases, { name, map: { ...synonyms } }]
  return { name, description, effect, schema, aliases, usual }
}

export function faultText({ field, expected, found, example }: CallFault): string {
  return `${field}: expected ${expected}, found ${found}.${example === '' ? '' : ` A right call: ${example}`}`
}

const doubtText = (tool: string): string =>
  `Your answer shows a call of ${tool} in its text, and it was not run. If you meant to call it, call it now; else give your answer without it.`

const unreadText = (tool: string, example: string): string =>
  `Your answer holds what looks like a call of ${tool} in a form that is not understood here, so nothing was run. To call it, use the tool interface or write exactly this form:\n<tool_call>\n${example}\n</tool_call>\nIf you meant no call, give your answer without that markup.`

/** The form that the instructions for calls in the text teach (text-calls/instructions.ts). */
const TAUGHT: Dialect = 'tagged-json'

export class CallReader implements CallResolver {
  private readonly tools: KnownTool[]
  private readonly registry: ToolRegistry
  private readonly format: ToolFormat
  private dialect: Dialect | undefined
  /** The form of a call the model was asked about: when it comes again, it is meant. */
  private asked: Dialect | undefined

  constructor(registry: ToolRegistry, format: ToolFormat) {
    this.registry = registry
    this.format = format
    this.tools = registry.entries().map(known)
  }

  /** The named tools as the parser and the text instructions know them. */
  knownTools(names: readonly string[]): KnownTool[] {
    return this.tools.filter((tool) => names.includes(tool.name))
  }

  resolve({ id, name, argumentsText, cut }: Parameters<CallResolver['resolve']>[0]): BatchCall {
    const resolution = resolveCall({ name, argumentsText, ...(cut === undefined ? {} : { cut }) }, this.tools)
    if (!resolution.ok)
      return { id, name: resolution.tool ?? name, args: {}, rawArgs: argumentsText, fault: faultText(resolution.fault) }
    const { tool, args, repairs, executable } = resolution
    return {
      id,
      name: tool,
      args: { ...this.implied(name), ...args },
      rawArgs: argumentsText,
      ...(repairs.length > 0 ? { repairs: repairs.map((repair) => repair.text) } : {}),
      ...(executable ? {} : { cutOff: true }),
    }
  }

  scanner(): TextScanner {
    const { format, asked } = this
    // What the prompt teaches is known before the model has used it.
    const dialect = format.dialect ?? (format.current === 'xml' ? TAUGHT : undefined)
    const scanner = createTextCallScanner({
      tools: this.tools,
      madeNativeCalls: format.madeNativeCalls,
      ...(dialect === undefined ? {} : { dialect }),
      ...(asked === undefined ? {} : { asked }),
    })
    this.asked = undefined
    let found: FoundCall[] = []
    let shown = ''
    const take = (parts: TextPart[]): ScannedText => {
      const text: ScannedText = { visible: '', reasoning: '' }
      for (const part of parts) {
        if (part.type === 'text') text.visible += part.text
        else if (part.type === 'reasoning') text.reasoning += part.text
        else if (part.type === 'call') {
          found.push(part)
          // A call in doubt stays where it stands in the answer.
          if (part.verdict === 'doubt') text.visible += part.raw
        } else if (part.type === 'answer-before') text.allAnswer = true
        else {
          found = []
          text.reasoning = text.visible + text.reasoning
          text.visible = ''
          text.allReasoning = true
          shown = ''
        }
      }
      shown += text.visible
      return text
    }
    return {
      feed: (text) => take(scanner.feed(text)),
      end: (how) => {
        const text = take(scanner.end(how))
        if (found.length > 0) return this.judged(text, found)
        return this.unread(text, scanner.showsCalls ? '' : shown)
      },
    }
  }

  observe(seen: 'native' | 'text'): void {
    this.format.observe(seen, seen === 'text' ? this.dialect : undefined)
  }

  effect(name: string): ReturnType<CallResolver['effect']> {
    return this.registry.find(name)?.effect
  }

  /** Calls that stand on their own, and what is asked about the first that does not. */
  private judged(text: ScannedText, found: FoundCall[]): ReturnType<TextScanner['end']> {
    const sure = found.filter((call) => call.verdict !== 'doubt')
    const doubtful = found.find((call) => call.verdict === 'doubt')
    if (sure.length > 0) this.dialect = sure[0]!.dialect
    if (doubtful) this.asked = doubtful.dialect
    return {
      ...text,
      calls: sure.map((call) => this.textCall(call)),
      ...(doubtful ? { doubt: doubtText(doubtful.tool ?? doubtful.name) } : {}),
    }
  }

  /** An answer without a call; where it holds markup of one in an unknown form, the model is told how calls are written. */
  private unread(text: ScannedText, shown: string): ReturnType<TextScanner['end']> {
    const name = unreadCall(shown, this.tools)
    const tool = this.tools.find((each) => each.name === name)
    return { ...text, calls: [], ...(tool ? { doubt: unreadText(tool.name, example(tool, {})) } : {}) }
  }

  private textCall({ verdict, name, tool, args = {}, repairs, fault, truncated }: FoundCall): TextCall {
    return {
      name: tool ?? name,
      args: { ...this.implied(name), ...args },
      ...(repairs.length > 0 ? { repairs: repairs.map((repair) => repair.text) } : {}),
      ...(verdict === 'fault' && fault ? { fault: faultText(fault) } : {}),
      ...(verdict === 'cut' || (truncated && verdict !== 'call') ? { cutOff: true } : {}),
    }
  }

  /** Arguments that an alias implies (`glob` lists recursively). */
  private implied(name: string): Record<string, unknown> {
    return this.registry.resolve(name, {})?.args ?? {}
  }
}
