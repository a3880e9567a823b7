/** How much of the prose before a call is looked at. Characters. */
export const CUE_REACH = 300

// Words that announce something shown rather than something done, in English and French. They only ever turn a call
// into a question or a question into text, so a word too many costs a turn.

/** Anywhere in the paragraph before the call. */
const EXPLAINS = [
  'examples?',
  'e\\.g\\.',
  'for instance',
  'such as',
  'like (?:this|so|the following)',
  'looks? like',
  'would',
  'could',
  'should (?:be|look|have)',
  'syntax',
  'formats?',
  'usage',
  'sample',
  'illustrat\\w*',
  'demonstrat\\w*',
  'you (?:can|may|must|need)',
  'how (?:to|you|it)',
  'to (?:call|use|invoke) (?:it|this|the|a)',
  'template',
  'transcript',
  'documentation',
  'docs',
  'malicious',
  'suspicious',
  'injected',
  '(?:not|never|\\w+n.t) (?:to )?(?:call|run|use|execute|make|do)',
  'refuse\\w*',
  'instead of',
  'exemples?',
  'comme (?:ceci|cela|suit)',
  'pourrai\\w*',
  '(?:on|il|elle) peut',
  'pouvez',
  'ne (?:pas|jamais)',
]

/** In the last sentence before the call: prose about an earlier result has them too. */
const QUOTES = [
  'contains?',
  'contents?',
  'says?',
  'said',
  'sent',
  'shows?',
  'shown',
  'showing',
  'prints?',
  'printed',
  'outputs?',
  'returns?',
  'returned',
  'quotes?',
  'quoted',
  'wrote',
  'written',
  'reads?(?= as follows|:)',
  'asked',
  'asks',
  'emitted',
  'replied',
  'received',
  'logs?',
  'readme',
  'contient',
  'affiche',
  'a (?:dit|écrit|envoyé)',
]

const wordOf = (words: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'iu')
const EXPLAINS_WORD = wordOf(EXPLAINS)
const QUOTES_WORD = wordOf(QUOTES)

/** Whether the paragraph at the end of `prose` speaks of what follows as something shown. */
export function isShown(prose: string): boolean {
  const recent = prose.slice(-CUE_REACH).trimEnd()
  const paragraph = recent.slice(recent.lastIndexOf('\n\n') + 1)
  if (EXPLAINS_WORD.test(paragraph)) return true
  const ends = paragraph.search(/[.!?]\s+[^.!?]*[.!?:]?\s*$/)
  return QUOTES_WORD.test(ends < 0 ? paragraph : paragraph.slice(ends + 1))
}
