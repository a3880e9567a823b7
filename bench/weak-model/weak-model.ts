// A weak model as a script of the model server: it does the task step by step and garbles every call in one way. It goes on
// when a step has taken effect, tries again when not, and after some attempts goes on all the same and says it is done.
import type { SeenRequest, ServerStep } from '../../test/support/model-server.ts'
import type { Garble } from './garbles.ts'
import type { Profile } from './profiles.ts'
import { achieved, ANSWER, PROMPT, steps } from './task.ts'
import type { Step } from './task.ts'

/** `never`: garbles each attempt. `third`: the third attempt at a step is sound. */
export type Correction = 'never' | 'third'

/** Attempts at one step before the model goes on as if it were done. */
const ATTEMPTS = 6

/** What came back since the model spoke last. */
function resultsOf(request: SeenRequest): string {
  const last = request.messages.findLastIndex((message) => message.role === 'assistant')
  return last < 0
    ? ''
    : request.messages
        .slice(last + 1)
        .map((message) => message.text)
        .join('\n')
}

export interface WeakModel {
  answer(request: SeenRequest): ServerStep
  /** Steps that took effect. */
  readonly done: number
  /** Steps it went on from without effect. */
  readonly given: string[]
}

export function weakModel(garble: Garble, correction: Correction, profile: Profile, folder: string): WeakModel {
  let at = 0
  let attempt = 0
  let turn = 0
  let done = 0
  const given: string[] = []
  return {
    get done() {
      return done
    },
    given,
    answer(request) {
      // A side question of the agent (a title, a summary) is no part of the task.
      if (!request.messages.some(({ text }) => text.includes(PROMPT))) return { text: 'Mending the checks.' }
      const results = resultsOf(request)
      while (at < steps.length) {
        const step = steps[at]!
        const before = attempt === 0
        if (before || !achieved(step, folder, results)) break
        done += 1
        at += 1
        attempt = 0
      }
      if (attempt >= ATTEMPTS) {
        given.push(steps[at]!.kind)
        at += 1
        attempt = 0
      }
      const step = steps[at]
      if (!step) return { text: ANSWER }
      const as = (changed: Step) => profile(changed, folder, request.toolNames)
      const call = as(step)
      const sound: ServerStep = { calls: [{ name: call.name, arguments: call.args }] }
      const made =
        correction === 'third' && attempt >= 2 ? undefined : garble.make({ step, call, as, folder, turn, attempt })
      attempt += 1
      turn += 1
      return made ?? sound
    },
  }
}
