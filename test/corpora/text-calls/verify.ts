import { isDeepStrictEqual } from 'node:util'
import { scanText } from '../../../src/model/text-calls/scanner.ts'
import type { TextCall, TextPart } from '../../../src/model/text-calls/types.ts'
import type { Case } from './cases.ts'
import type { Negative } from './negatives.ts'
import { tools } from './tools.ts'
import type { Wild } from './wild.ts'

export const callsIn = (parts: readonly TextPart[]): TextCall[] => parts.filter((part) => part.type === 'call')

/** What came out of a case and should not have, or undefined when it is right. */
export function wrongInCase(each: Case): string | undefined {
  const calls = callsIn(scanText(each.text, { tools, ...each.session }))
  if (calls.length !== each.calls.length) return `${calls.length} calls instead of ${each.calls.length}`
  for (const [at, expected] of each.calls.entries()) {
    const { verdict, tool, args, truncated, repairs } = calls[at]!
    const { repairs: kinds, ...values } = expected
    if (!isDeepStrictEqual({ verdict, tool, args, truncated }, values))
      return `call ${at + 1} is ${JSON.stringify({ verdict, tool, args, truncated })}`
    const missing = kinds.filter((kind) => !repairs.some((repair) => repair.kind === kind))
    if (missing.length > 0) return `the repair ${missing.join(', ')} is not named`
  }
  return undefined
}

export function wrongInWild(each: Wild): string | undefined {
  const options = { tools, madeNativeCalls: each.native ?? false, ...(each.dialect ? { dialect: each.dialect } : {}) }
  const calls = callsIn(scanText(each.text, options, each.cut === undefined ? undefined : { cut: each.cut }))
  const got = calls.map(({ verdict, tool, args }) => [verdict, tool, args])
  const right =
    got.length === each.calls.length &&
    each.calls.every(([verdict, tool, args], at) => {
      const [gotVerdict, gotTool, gotArgs] = got[at]!
      return verdict === gotVerdict && tool === gotTool && (args === undefined || isDeepStrictEqual(args, gotArgs))
    })
  return right ? undefined : JSON.stringify(got)
}

/** A call made of a text that holds none, in any state of the session; or a question where none is due. */
export function wrongInNegative(each: Negative): string | undefined {
  const sessions = [
    {},
    { dialect: each.dialect },
    { dialect: 'json' as const },
    { dialect: 'tagged-json' as const },
    { dialect: 'pythonic' as const },
    { dialect: each.dialect, madeNativeCalls: true },
  ]
  for (const session of sessions) {
    const calls = callsIn(scanText(each.text, { tools, ...session }))
    const wrong = calls.find((call) => call.verdict !== 'doubt' || !each.doubt)
    if (wrong) return `${wrong.verdict} of ${wrong.tool ?? wrong.name} in a session with ${JSON.stringify(session)}`
  }
  return undefined
}
