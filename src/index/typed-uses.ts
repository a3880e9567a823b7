// Accesses to a member whose receiver the tables do not know, judged by the types around them.
import type { Confidence } from './answers.ts'
import type { MemberTypes } from './member-types.ts'
import type { Tables } from './tables.ts'
import { Slice } from './slice.ts'

/** An access that says the name; `otherwise` is how sure it is where types do not tell. */
export interface UnsettledUse {
  file: number
  offset: number
  flags: number
  otherwise: Confidence | undefined
}

/** Files read for one question; uses in others are judged by name. */
const MAX_FILES = 600
/** Steps of types for one question, some two seconds; the uses behind them are judged by name. */
const MAX_STEPS = 1_500_000

/**
 * Calls back with those that are uses, in the order given. `isWanted` tells whether a member declared at a place is meant. Ends
 * early when the tables change meanwhile: the question is then asked again.
 */
export async function settleUses(
  types: MemberTypes,
  tables: Tables,
  unsettled: readonly UnsettledUse[],
  isWanted: (file: number, offset: number) => boolean,
  found: (use: UnsettledUse, confidence: Confidence) => void,
): Promise<void> {
  const { generation } = tables
  let lookup = await types.open()
  const slice = new Slice()
  const files = new Set<number>()
  let steps = 0
  for (const use of unsettled) {
    if (slice.isOver) {
      await slice.next()
      lookup = await types.open()
    }
    if (tables.generation !== generation) return
    files.add(use.file)
    const before = lookup.spent
    const member = files.size > MAX_FILES || steps > MAX_STEPS ? undefined : lookup.memberAt(use.file, use.offset)
    steps += lookup.spent - before
    if (!member || (member.declared.length === 0 && !member.isKnown)) {
      const confidence = member?.isKey && use.otherwise ? 'possible' : use.otherwise
      if (confidence) found(use, confidence)
    } else if (member.declared.some(({ file, offset }) => isWanted(file, offset))) found(use, 'exact')
  }
}
