// Rules about where a command runs: `allow sandbox: network npm install` gives it the network, `allow sandbox: outside git push`
// lets it out of the sandbox. Only the user's own configuration and approvals count.
import type { SegmentJudgement, WiderPlace } from './judgement.ts'
import { rememberedRule } from './commands/remember.ts'
import { plainWord } from './commands/segment.ts'
import { splitPattern } from './rules/pattern.ts'
import { matchesCommand, type Rule } from './rules/rule.ts'

/** The widest place that rules give every command of a compound that does more than look; undefined when they give none. */
export function placeByRules(segments: readonly SegmentJudgement[], rules: readonly Rule[]): WiderPlace | undefined {
  const acting = segments.filter((segment) => !isHarmless(segment))
  if (acting.length === 0) return undefined
  const has = (place: WiderPlace): boolean => acting.every(({ text }) => isAllowed(text, place, rules))
  return has('outside') ? 'outside' : has('network') ? 'network' : undefined
}

/** The rules that "for this session" and "always" store for a wider place; none when a word is not known. */
export function rememberedPlace(segments: readonly SegmentJudgement[], place: WiderPlace): string[] {
  const found = segments
    .filter((segment) => !isHarmless(segment))
    .map(({ text }) => {
      const words = wordsOf(text)
      const rule = words.includes(undefined) ? undefined : rememberedRule(words.map((word) => plainWord(word!)))
      return rule?.replace(
        /^command( exactly)?: /,
        (_, exactly: string | undefined) => `sandbox${exactly ?? ''}: ${place} `,
      )
    })
  return found.includes(undefined) ? [] : [...new Set(found.map((rule) => rule!))]
}

/** Looking needs no wider place, nor does going to a folder. */
function isHarmless({ text, readOnly }: SegmentJudgement): boolean {
  return readOnly || /^cd(?: |$)/.test(text)
}

function isAllowed(text: string, place: WiderPlace, rules: readonly Rule[]): boolean {
  const matching = rules.filter((rule) => {
    if (rule.kind !== 'sandbox' || (rule.level !== 'app' && rule.level !== 'session')) return false
    const [named, ...words] = splitPattern(rule.pattern)
    const pattern = rule.pattern.slice(rule.pattern.indexOf(named ?? '') + (named ?? '').length).trim()
    return named === place && words.length > 0 && matchesCommand({ ...rule, pattern }, wordsOf(text))
  })
  return matching.some((rule) => rule.verdict === 'allow') && matching.every((rule) => rule.verdict === 'allow')
}

/** Words as they are shown; what only the shell will know is undefined. */
function wordsOf(text: string): (string | undefined)[] {
  return splitPattern(text).map((word) => (word.includes('…') ? undefined : word))
}
