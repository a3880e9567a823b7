// The files that may hold what a text search asks for: by path, by glob, and by the filter of their three-byte runs.
import type { TextQuery } from '../answers.ts'
import { HEAD } from '../facts.ts'
import { cleanPath } from '../file-answers.ts'
import type { Tables } from '../tables.ts'
import { gramsOf, mayHold } from './grams.ts'
import { requiredLiterals } from './required-literals.ts'

/** Files looked at to tell which text is rare. */
const SAMPLE_FILES = 500

/** Texts one of which must be there, and their grams. */
interface Choice {
  texts: readonly string[]
  grams: readonly Int32Array[]
}

/** Whether a path is that of a query or under it, and fits its glob. */
export async function pathFilter({ path, glob }: Pick<TextQuery, 'path' | 'glob'>): Promise<(path: string) => boolean> {
  const scope = cleanPath(path)
  const matches = glob ? (await import('../../lib/glob.ts')).globMatcher(glob) : undefined
  return (other) =>
    (scope === '' || other === scope || other.startsWith(`${scope}/`)) && (matches === undefined || matches(other))
}

export class Candidates {
  private readonly tables: Tables
  private readonly choices: readonly Choice[]

  constructor(tables: Tables, { source, ignoreCase }: RegExp) {
    this.tables = tables
    this.choices = requiredLiterals(source, ignoreCase).map((texts) => ({
      texts,
      grams: texts.map((text) => gramsOf(Buffer.from(text))),
    }))
  }

  /** Ids of the files in the query's folder and glob that may hold a match. */
  async in(query: TextQuery): Promise<number[]> {
    const { tables } = this
    const isWanted = await pathFilter(query)
    const found: number[] = []
    for (let file = 0; file < tables.count; file++) {
      if (!tables.facts[file] || !this.choices.every((choice) => this.mayHold(file, choice))) continue
      if (isWanted(tables.paths[file]!)) found.push(file)
    }
    return found
  }

  /** The text that every match holds, when it is in fewer files than whatever else a match needs. */
  rarest(): string | undefined {
    if (this.choices.length === 0) return undefined
    const counts = this.choices.map((choice) => this.sampled(choice))
    const [text, ...others] = this.choices[counts.indexOf(Math.min(...counts))]!.texts
    return others.length === 0 ? text : undefined
  }

  /** In how many files of a sample a choice may be. */
  private sampled(choice: Choice): number {
    const { count, facts } = this.tables
    const step = Math.max(1, Math.floor(count / SAMPLE_FILES))
    let holding = 0
    for (let file = 0; file < count; file += step) if (facts[file] && this.mayHold(file, choice)) holding++
    return holding
  }

  private mayHold(file: number, { grams }: Choice): boolean {
    const facts = this.tables.facts[file]!
    const words = facts[HEAD.grams]!
    if (words === 0) return true
    const start = this.tables.starts[file]![HEAD.grams]!
    for (const each of grams) if (mayHold(facts, start, start + words, each)) return true
    return false
  }
}
