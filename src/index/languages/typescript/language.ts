import type { Language } from '../../language.ts'

/** The TypeScript family: one engine, the dialect follows from the extension. */
export const typescript: Language = {
  id: 'typescript',
  extensions: ['.ts', '.tsx', '.mts', '.cts'],
  load: async () => (await import('./extract.ts')).loadExtractor().then(({ extract }) => extract),
}
export const javascript: Language = {
  id: 'javascript',
  extensions: ['.js', '.jsx', '.mjs', '.cjs'],
  load: () => typescript.load(),
}
