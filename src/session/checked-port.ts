import type { ModelPort } from '../agent/ports.ts'
import type { StreamPart } from '../model/language-model.ts'
import type { PromptCheck } from '../model/prompt-check.ts'
import { promptSize } from '../model/tokens.ts'

/** A port that compares the server's count of every prompt with what was sent, and warns when part of it was dropped. */
export function checkedPort(port: ModelPort, check: PromptCheck, warn: (text: string) => void): ModelPort {
  return {
    name: port.name,
    async *stream(request, signal): AsyncIterable<StreamPart> {
      for await (const part of port.stream(request, signal)) {
        if (part.type === 'usage' && part.usage.estimated !== true) {
          const warning = check.observe(promptSize(request.messages, request.tools), part.usage.inputTokens)
          if (warning !== undefined) warn(warning)
        }
        yield part
      }
    },
  }
}
