// All languages the index reads, and which one a file is in.
import type { Language } from './language.ts'
import { json } from './languages/json/language.ts'
import { markdown } from './languages/markdown/language.ts'
import { javascript, typescript } from './languages/typescript/language.ts'
import { grammarLanguages } from './languages/tree-sitter/languages.ts'
import { yaml } from './languages/yaml/language.ts'

export const LANGUAGES: readonly Language[] = [typescript, javascript, json, yaml, markdown, ...grammarLanguages()]

/** Engines without a grammar to load: the first ones of the list. */
const LIGHT_LANGUAGES = 5

/** Whether a file's engine is slow to load and large (a grammar in WebAssembly: 30 to 60 MB and 0.1 to 0.5 s each). */
export function isHeavy(path: string): boolean {
  return languageOf(path) >= LIGHT_LANGUAGES
}

const byExtension = new Map<string, number>()
const byName = new Map<string, number>()
LANGUAGES.forEach((language, at) => {
  for (const extension of language.extensions) byExtension.set(extension, at)
  for (const name of language.filenames ?? []) byName.set(name, at)
})

/** Place of a file's language in LANGUAGES, or -1. */
export function languageOf(path: string): number {
  const base = path.slice(path.lastIndexOf('/') + 1)
  const named = byName.get(base)
  if (named !== undefined) return named
  for (let dot = base.indexOf('.'); dot >= 0; dot = base.indexOf('.', dot + 1)) {
    const found = byExtension.get(base.slice(dot).toLowerCase())
    if (found !== undefined) return found
  }
  return -1
}
