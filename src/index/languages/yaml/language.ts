import type { Language } from '../../language.ts'

export const yaml: Language = {
  id: 'yaml',
  extensions: ['.yaml', '.yml'],
  load: async () => (await import('./extract.ts')).extractYaml,
}
