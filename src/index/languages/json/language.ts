import type { Language } from '../../language.ts'

export const json: Language = {
  id: 'json',
  extensions: ['.json', '.jsonc', '.json5'],
  filenames: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc'],
  load: async () => (await import('./extract.ts')).extractJson,
}
