import { joinPattern } from '../rules/pattern.ts'
import type { Word } from './segment.ts'

/** Programs whose first word says what they do: an approval may cover that and leave the rest open. */
const WITH_SUBCOMMANDS = new Set(
  'git npm pnpm yarn bun cargo go docker podman kubectl helm terraform make just task pip pip3 poetry uv gh glab dotnet mvn gradle bundle rake composer deno nx turbo rustup brew apt apt-get systemctl'.split(
    ' ',
  ),
)
/** Subcommands that name what they run in the next word. */
const TAKES_NAME = new Set([
  'run',
  'run-script',
  'compose',
  'exec',
  'x',
  'remote',
  'stash',
  'submodule',
  'worktree',
  'config',
  'pr',
  'issue',
])

/** They run a program from their input when the first word is `-`. */
const INTERPRETERS = /^(?:python[\d.]*|node|ruby|perl|php|deno|bun|Rscript|lua)$/

/**
 * The rule an approval would store for a command: a prefix where the first words say what is done, else exactly these
 * words. Undefined when a word is not known, so that a rule is never wider than what was shown.
 */
export function rememberedRule(words: readonly Word[], exactly = false): string | undefined {
  const values = words.map((word) => (word.glob ? undefined : word.value))
  const known = values.every((value) => value !== undefined)
  const [program, first, second] = values
  if (
    !exactly &&
    program !== undefined &&
    WITH_SUBCOMMANDS.has(program) &&
    first !== undefined &&
    /^[\w:.-]+$/.test(first) &&
    !first.startsWith('-')
  ) {
    if (!TAKES_NAME.has(first)) return `command: ${joinPattern([program, first])}`
    if (second !== undefined && /^[\w:.-]+$/.test(second) && !second.startsWith('-'))
      return `command: ${joinPattern([program, first, second])}`
  }
  // The program comes from the input and is another each time.
  if (!exactly && program !== undefined && first === '-' && INTERPRETERS.test(program)) return `command: ${program} -`
  return known ? `command exactly: ${joinPattern(values.filter((value) => value !== undefined))}` : undefined
}
