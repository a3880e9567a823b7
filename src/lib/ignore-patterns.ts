import ignore, { type Ignore } from 'ignore'

/** Makes a matcher of the patterns of a `.gitignore` text (gitignore(5)). */
export function ignorePatterns(text: string): Ignore {
  return ignore().add(text)
}
