import type { Language } from '../../language.ts'
import { compileResolver, type Resolve } from '../tree-sitter/resolve.ts'

/** What a link without an ending may stand for. */
const PAGES = ['{path}', '{path}.md', '{path}/README.md', '{path}/index.md']
let resolve: Resolve | undefined

export const markdown: Language = {
  id: 'markdown',
  extensions: ['.md', '.markdown', '.mdown', '.mkd'],
  load: async () => (await import('./extract.ts')).extractMarkdown,
  resolve(spec, from, files) {
    resolve ??= compileResolver({
      imports: [
        // A page of a site says where from its root, which may be any folder above.
        { match: '^/(?<path>[^?#]*)', from: 'parents', files: PAGES },
        { match: '^(?<path>[^/?#][^?#]*)', from: 'file', files: PAGES },
      ],
    })
    return resolve(spec, from, files)
  },
}
