// The model a run talks to: retries around one backend, the next backend when one is down, and events for both.
import { ModelError } from '../model/language-model.ts'
import type { LanguageModel, ModelRequest, StreamPart } from '../model/language-model.ts'
import { streamWithRetry } from '../model/retry.ts'
import type { RetryProfile } from '../model/retry.ts'
import type { EventBody } from '../protocol/index.ts'
import type { ModelPort } from '../agent/ports.ts'

/** One model of the chain: the first is the one chosen, the others its fallbacks. */
export interface Link {
  /** `backend/model`. */
  name: string
  /** The model's name at its server. */
  model: string
  open(): Promise<LanguageModel>
}

interface Options {
  profile: RetryProfile
  emit: (event: EventBody) => void
}

/** Failures that another server may not have. */
export const goesOn = (error: ModelError): boolean =>
  !error.afterFirstPart &&
  ['network', 'timeout', 'server_error', 'rate_limit', 'model_not_found', 'auth_error'].includes(error.code)

/** A port over a chain of models; a fallback that answered stays in use, so the prompt cache of one server is built once. */
export function chainedPort(links: readonly [Link, ...Link[]], { profile, emit }: Options): ModelPort {
  let at = 0
  return {
    name: links[0].name,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart> {
      for (;;) {
        const link = links[at]!
        try {
          const model = await link.open()
          yield* streamWithRetry(
            model,
            { ...request, model: link.model },
            {
              signal,
              profile,
              onRetry: ({ attempt, of, delayMs, error }) => emit({ type: 'retry', attempt, of, delayMs, error }),
              onNote: (note) =>
                emit(
                  note.type === 'cache-hit'
                    ? { type: 'notice', level: 'info', text: 'This answer comes from the cache.' }
                    : { type: 'status', state: 'reading-prompt', detail: link.name },
                ),
            },
          )
          return
        } catch (thrown) {
          const next = links[at + 1]
          if (!(thrown instanceof ModelError) || !goesOn(thrown) || !next || signal.aborted) throw thrown
          emit({ type: 'notice', level: 'warning', text: `${thrown.message} Going on with ${next.name}.` })
          at += 1
        }
      }
    },
  }
}
