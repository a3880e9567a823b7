// What the prose around a call says of it. A call in a form that means a call is one whatever stands before it; only a
// sentence whose object is the call itself ("The file says:", "for example:", "I will not run") makes it something shown.

/** How much of the prose before a call is looked at. Characters. */
export const CUE_REACH = 300
/** How much of the prose after a call is looked at, and waited for. Characters. */
export const AFTER_REACH = 40

/** What stands around a call. */
export interface Surroundings {
  before: string
  after: string
  /** The call stands within a line. */
  inline: boolean
}

const START = '(?<![\\p{L}\\p{N}_])'
const END = '(?![\\p{L}\\p{N}_])'
const word = (words: readonly string[]): string => `${START}(?:${words.join('|')})${END}`

/** Nothing but the end of the sentence: a colon, a stop, or nothing. */
const CLOSE = '\\s*[:.…]?\\s*$'

const NOUNS = '(?:syntax|formats?|examples?|template|usage|samples?|schema)'
/** The sentence announces an example of what follows. */
const EXAMPLE = new RegExp(
  [
    `${word(['for (?:example|instance)', 'e\\.g\\.', 'an? (?:example|sample)', 'par exemple', 'comme (?:ceci|cela|suit)', 'un exemple'])}${CLOSE}`,
    `${word(['like (?:this|so|the following)', 'looks? like', 'as follows', '(?:be|is) (?:like )?this'])}[^.:!?]{0,40}${CLOSE}`,
    `^(?:the|its|their|this|that)\\s+(?:\\w+\\s+){0,2}${NOUNS}\\s+(?:of\\s+[^:]{0,40}\\s+)?(?:is|are|was|would|could|should|looks?)${END}[^.!?]*:\\s*$`,
    `^(?:(?:the|an?|one|its|correct|right|valid|expected|sample)\\s+)*${NOUNS}(?:\\s+(?:calls?|usage|requests?|output|messages?|of\\s+[^:]*))?\\s*:\\s*$`,
  ].join('|'),
  'iu',
)

const REPORTS = [
  'contains?',
  'contained',
  'says?',
  'said',
  'shows?',
  'showed',
  'prints?',
  'printed',
  'returns?',
  'returned',
  'quotes?',
  'quoted',
  'wrote',
  'writes?',
  'reads?',
  'sent',
  'sends',
  'asked',
  'asks',
  'emitted',
  'emits',
  'replied',
  'received',
  'logged',
  'contient',
  'affiche',
  'dit',
]
/** The sentence reports: its verb's object, or the clause that stands for it, is what follows the colon. */
// Not in an indirect question ("check what it says:") nor in an aside ("as you asked:").
const REPORT = new RegExp(
  `(?<!${word(['what', 'how', 'where', 'which', 'whether', 'if', 'as'])}[^.!?:,]{0,80})${word(REPORTS)}(?:\\s+(?:what|how|that|the following|as follows|this)${END}[^.!?:]*)?\\s*:\\s*$`,
  'iu',
)
/** Who acts: what such a sentence tells is what the model is about to do. */
const ACTS = new RegExp(
  word([
    'I',
    "I['’]\\w+",
    'let',
    "let['’]s",
    'we',
    "we['’]\\w+",
    'now',
    'next',
    'first',
    'then',
    'going',
    'je',
    'on va',
    'nous',
  ]),
  'iu',
)
/** Somebody refuses to do what the sentence is about. */
const REFUSES = new RegExp(
  `${word(['I', 'we', 'you', 'it', 'je', 'nous'])}(?:['’]\\w+)?\\s+(?:\\w+\\s+){0,2}?(?:not|never|cannot|\\w+n['’]t|refuse\\w*|ne)${END}[^.!?:]*$`,
  'iu',
)
/** The sentence after it explains what it is. */
const EXPLAINED =
  /^\s*(?:this|that|it|which)\s+(?:is|was)\s+(?:what|how|the (?:call|format|syntax|form))(?![\p{L}])(?!\s+(?:I|we|to)(?![\p{L}]))/iu

/** The last sentence of the prose, and whether it is finished. */
function lastSentence(before: string): { text: string; finished: boolean } {
  const prose = before.slice(-CUE_REACH)
  const trimmed = prose.trimEnd()
  const line = trimmed.slice(trimmed.lastIndexOf('\n\n') + 1)
  let from = 0
  for (const end of line.matchAll(/(?<!\b[a-z]\.[a-z])[.!?…](?:["')\]]*)\s+(?=\S)/giu)) from = end.index + end[0].length
  return {
    text: line.slice(from),
    finished: trimmed === '' || /[.!?:…)*_"'`\]]$/u.test(trimmed) || /\n\s*$/.test(prose),
  }
}

/** The prose before says that an example follows. */
export const announcesExample = ({ before }: Pick<Surroundings, 'before'>): boolean =>
  EXAMPLE.test(lastSentence(before).text)

/** A sentence around the call speaks of it as of something shown, said or refused. */
export function isShown({ before, after, inline }: Surroundings): boolean {
  const { text, finished } = lastSentence(before)
  if (EXAMPLE.test(text) || EXPLAINED.test(after)) return true
  if (REPORT.test(text) && !ACTS.test(text)) return true
  return inline && !finished && REFUSES.test(text)
}

/** The call is a word of a sentence: `Shall I call <call>?`, `It printed <call> and stopped.` */
export function isEmbedded({ before, after, inline }: Surroundings): boolean {
  if (!inline) return false
  if (/^[?,;)\]»”"']/u.test(after)) return true
  if (lastSentence(before).finished) return false
  return /^(?:\.(?:\s|$)|[ \t]+\p{Ll})/u.test(after)
}

/** Whether a sentence before a call within a line is over, so that the call stands by itself. */
export const isFinished = ({ before }: Pick<Surroundings, 'before'>): boolean => lastSentence(before).finished

const USE = '(?:call|use|write|invoke|send|make|pass|type|do|try)'
/** What explains a form that people also quote: advice, rules, possibilities. */
const EXPLAINS = new RegExp(
  word([
    `(?:you|one) (?:can|could|may|might|must|should|would|need to) (?:also |then |just )?${USE}`,
    `would (?:look|be (?:called|written|sent)|${USE})`,
    `how (?:to|you) [^.!?]*:\\s*$`,
    `(?<=^\\s*)to (?:call|use|invoke) (?:it|this|the|a)${END}[^.!?:]*,`,
    'in (?:this|the) format',
    'malicious',
    'suspicious',
    'pouvez',
    'peut',
    'pourrai\\w*',
  ]),
  'iu',
)
/** The sentence says what something is, and that follows the colon. */
const STATES = new RegExp(`${word(['is', 'was', 'are', 'were', 'be', 'est', 'était'])}\\s*:\\s*$`, 'iu')

/** What came of a call, as some transcripts label it. */
const RESULT = /^(?:observation|(?:tool|function)?\s*(?:output|result|response))\s*:$/i

/**
 * Whether the prose before a call explains or reports, for forms that people also quote. A sentence in which somebody acts
 * announces the call, whatever its words.
 */
export function explains(around: Surroundings): boolean {
  if (isShown(around)) return true
  const { text } = lastSentence(around.before)
  const acts = ACTS.test(text) && !REFUSES.test(text)
  if ((EXPLAINS.test(text) && !acts) || RESULT.test(text.trim())) return true
  return STATES.test(text) && !acts
}

/** The last sentence says that the model is about to act. */
export const announcesAction = ({ before }: Pick<Surroundings, 'before'>): boolean => {
  const { text } = lastSentence(before)
  return ACTS.test(text) && !REFUSES.test(text)
}
