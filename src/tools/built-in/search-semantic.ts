import { z } from 'zod'
import type { CodeIndex } from '../../index/code-index.ts'
import { SemanticSearch } from '../../index/search/semantic.ts'
import { answer, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'

const DEFAULT_RESULTS = 5
const MOST_RESULTS = 20
/** A very large workspace, or a busy machine, can take longer than a call may. Milliseconds. */
const ANSWER_MS = 8_000

/** One search per index, kept as long as it: what it knows of all files is found out once per state. */
const searches = new WeakMap<CodeIndex, SemanticSearch>()

export const searchSemantic = defineTool({
  name: 'search_semantic',
  description: 'Find functions, classes and sections by what they do, in words.',
  input: z.object({ query: z.string().min(1), top_k: z.number().int().positive().max(MOST_RESULTS).optional() }),
  effect: 'read',
  repeatable: true,
  aliases: [{ name: 'codebase_search' }, { name: 'semantic_search' }],
  synonyms: { question: 'query', text: 'query', limit: 'top_k', k: 'top_k' },
  title: ({ query }) => `search for "${query}" by meaning`,
  run: ({ query, top_k: most = DEFAULT_RESULTS }, context) =>
    withIndex(context, async (index) => {
      const search = searches.get(index) ?? new SemanticSearch(index)
      searches.set(index, search)
      const hits = await search.search(query, most, ANSWER_MS)
      const lines = hits.map((hit) => {
        const doc = hit.doc === undefined ? '' : `\n    ${hit.doc}`
        const inside = hit.inside === undefined ? '' : `in ${hit.inside}: `
        return `${hit.path}:${hit.startLine}-${hit.endLine} (${hit.score.toFixed(1)}) ${inside}${hit.signature}${doc}`
      })
      const text =
        lines.length === 0
          ? `Nothing is about "${query}". Try other words, or search_text for an exact text.`
          : `${lines.join('\n')}\n(ranked offline, by words and importance)`
      const rest =
        search.unread === 0
          ? ''
          : `\n(${search.unread} files that matter less were not looked at: the time was over. search_text finds an exact word.)`
      return answer(index, text + rest, { ranking: 'offline', total: hits.length })
    }),
})
