/** How much of the prose before a call is looked at. */
export const CUE_REACH = 300

/**
 * Words that announce something shown rather than something done, in English and French. They only ever turn a
 * call into a question, so a word too many costs a turn and a word too few costs nothing the position does not catch.
 */
const SHOWN = [
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
  'contains?',
  'says?',
  'said',
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
  'reads as follows',
  'documentation',
  'docs',
  'template',
  'transcript',
  'log',
  "don't",
  'do not',
  'never',
  'not',
  'instead of',
  'exemples?',
  'comme (?:ceci|cela|suit)',
  'pourrai\\w*',
  'peut',
  'pouvez',
  'contient',
  'affiche',
  'ne pas',
]
const CUE = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${SHOWN.join('|')})(?![\\p{L}\\p{N}_])`, 'iu')

/** Whether the paragraph at the end of `prose` speaks of what follows as something shown. */
export function isShown(prose: string): boolean {
  const recent = prose.slice(-CUE_REACH).trimEnd()
  const paragraph = recent.slice(recent.lastIndexOf('\n\n') + 1)
  return CUE.test(paragraph)
}
