// Holds an answer against the files, the index and the record, without a model: evidence, not an accusation. What cannot be
// looked up is not spoken of, and what the answer proposes is not taken for a claim. Pure but for the look-ups it is given.
import type { Report } from '../protocol/index.ts'

/** What an answer is held against. */
export interface AnswerRecord {
  /** Text of a file of the workspace, by its path or its bare name; undefined when there is none. */
  text(path: string): Promise<string | undefined>
  /** Whether a name is defined or written anywhere in the project; undefined when nobody can tell. */
  hasName(name: string): Promise<boolean | undefined>
  /** Paths that were changed in this session, by tools or commands. */
  changed: ReadonlySet<string>
  tests: Report['tests']
  commands: Report['commands']
}

export interface AnswerFinding {
  /** The words of the answer. */
  claim: string
  /** What was found when it was looked up. */
  evidence: string
}

/** Names looked up at the most: each is a search. */
const MOST_NAMES = 20
/** A quoted line shorter than this proves nothing. Characters. */
const SHORTEST_QUOTE = 12

const FENCE = /^(```+|~~~+)([^\n]*)\n([\s\S]*?)^\1[ \t]*$/gm
const PATH = /(?<![\w/:.@-])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9})(?::(\d+)(?:-(\d+))?)?(?![\w/])/g
const QUOTED_NAME = /`([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(\(\))?`/g
const TESTS_PASS =
  /\b(?:all |the )*(?:\d+ )?(?:unit )?(?:tests|test suite|checks)\b[^.!?\n]{0,40}?\b(?:pass(?:es|ed)?|(?:is|are) green|succeed(?:s|ed)?)\b/i
const NOT = /\b(?:not|never|should|would|will|if|once|until|make sure|no longer|\w+n't)\b/i
const DID =
  /(?:^[-*\s]*|\bI(?:'ve| have)?\s+(?:also\s+)?)(changed|updated|edited|modified|fixed|created|rewrote|added|removed|deleted)\b/gi
const TEST_COMMAND = /\b(?:test|vitest|jest|pytest|mocha|check|tox|rspec|phpunit)\b/

const sentences = (text: string): string[] => text.split(/(?<=[.!?])\s+|\n+/).filter((each) => each.trim() !== '')

interface Place {
  claim: string
  path: string
  line?: number
}

/** Paths an answer names: with a folder, with a line, or in code marks. */
function placesIn(prose: string): Place[] {
  const places = new Map<string, Place>()
  for (const found of prose.matchAll(PATH)) {
    const [claim, path = '', line] = found
    const marked = prose[found.index - 1] === '`'
    if (!path.includes('/') && line === undefined && !marked) continue
    if (/^(?:https?|www\.)/.test(path) || /^\d+(?:\.\d+)+$/.test(path)) continue
    places.set(claim, { claim, path: path.replace(/^\.\//, ''), ...(line === undefined ? {} : { line: Number(line) }) })
  }
  return [...places.values()]
}

async function checkPlaces(prose: string, record: AnswerRecord): Promise<AnswerFinding[]> {
  const findings: AnswerFinding[] = []
  for (const { claim, path, line } of placesIn(prose)) {
    const text = await record.text(path)
    if (text === undefined) {
      // `items.length` looks like a file; a name that is in the project is one.
      const isName = !path.includes('/') && line === undefined && (await record.hasName(path.split('.')[0]!)) !== false
      if (!isName && !record.changed.has(path)) findings.push({ claim, evidence: `there is no file ${path}` })
      continue
    }
    const lines = text.replace(/\n$/, '').split('\n').length
    if (line !== undefined && line > lines) findings.push({ claim, evidence: `${path} has ${lines} lines` })
  }
  return findings
}

/** Names in code marks that look like names of this project: with a call, an inner capital or an underscore. */
async function checkNames(prose: string, record: AnswerRecord): Promise<AnswerFinding[]> {
  const names = new Map<string, string>()
  for (const [claim, name = '', call] of prose.matchAll(QUOTED_NAME)) {
    const last = name.split('.').at(-1)!
    const isName = call !== undefined || /[a-z][A-Z]|_/.test(last)
    if (isName && !/\.[a-z]{1,4}$/.test(name)) names.set(last, claim)
  }
  const findings: AnswerFinding[] = []
  for (const [name, claim] of [...names].slice(0, MOST_NAMES))
    if ((await record.hasName(name)) === false)
      findings.push({ claim, evidence: `${name} stands nowhere in the project` })
  return findings
}

const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Code that is quoted from a place: a fence whose line before, or whose own head, names one file. */
async function checkQuotes(answer: string, record: AnswerRecord): Promise<AnswerFinding[]> {
  const findings: AnswerFinding[] = []
  for (const { index, 2: head = '', 3: body = '' } of answer.matchAll(FENCE)) {
    const before = answer.slice(0, index).trimEnd().split('\n').at(-1) ?? ''
    const places = placesIn(`${before} ${head}`).filter(({ line }) => line !== undefined)
    const [place] = places
    if (!place || places.length > 1) continue
    const text = await record.text(place.path)
    if (text === undefined) continue
    const whole = words(text)
    const lines = body.split('\n').map((line) => words(line.replace(/^\s*\d+[|:]\s?/, '')))
    const missing = lines.find(
      (line) => line.length >= SHORTEST_QUOTE && !/^(?:\.\.\.|…|\/\/|#)/.test(line) && !whole.includes(line),
    )
    if (missing !== undefined) findings.push({ claim: missing, evidence: `this line does not stand in ${place.path}` })
  }
  return findings
}

function checkTests(prose: string, { tests, commands, changed }: AnswerRecord): AnswerFinding[] {
  const sentence = sentences(prose).find((each) => TESTS_PASS.test(each) && !NOT.test(each))
  if (sentence === undefined) return []
  const claim = TESTS_PASS.exec(sentence)![0]
  if (tests) {
    if (tests.uncounted) return [{ claim, evidence: 'the last run of the tests failed' }]
    if (tests.failed > 0) return [{ claim, evidence: `the last run of the tests had ${tests.failed} that failed` }]
    if (tests.stale) return [{ claim, evidence: 'a file was changed after the last run of the tests' }]
    return []
  }
  const run = commands.findLast(({ command }) => TEST_COMMAND.test(command))
  if (!run) return [{ claim, evidence: changed.size > 0 ? 'no tests were run since the change' : 'no tests were run' }]
  // `npm test | tail` has the exit code of tail.
  const [pipe] = run.pipes ?? []
  if (run.exitCode === 0 && pipe)
    return [{ claim, evidence: `in ${run.command} a command of the pipe failed (${pipe.join(' | ')})` }]
  return run.exitCode === 0
    ? []
    : [
        {
          claim,
          evidence: `${run.command.replace(/\s*\n[^]*/, ' …')} ended with exit code ${run.exitCode ?? 'none'}`,
        },
      ]
}

/** What the answer says it did, each with the words up to the next such claim. */
function deeds(sentence: string): { verb: string; rest: string }[] {
  const found = [...sentence.matchAll(DID)]
  return found.map(({ index, 0: whole, 1: verb = '' }, at) => ({
    verb,
    rest: sentence.slice(index + whole.length, found[at + 1]?.index),
  }))
}

function checkChanges(prose: string, { changed }: AnswerRecord): AnswerFinding[] {
  return sentences(prose)
    .filter((sentence) => !NOT.test(sentence))
    .flatMap(deeds)
    .flatMap(({ verb, rest }) => {
      const [place] = placesIn(rest)
      if (!place || [...changed].some((path) => path === place.path || path.endsWith(`/${place.path}`))) return []
      return [{ claim: `${verb} … ${place.claim}`, evidence: `no change of ${place.path} is recorded in this session` }]
    })
}

/** Looks up every path, line, name, quotation and claim of an answer; what does not hold, in their order. */
export async function lintAnswer(answer: string, record: AnswerRecord): Promise<AnswerFinding[]> {
  const prose = answer.replaceAll(FENCE, '\n')
  return [
    ...(await checkPlaces(prose, record)),
    ...(await checkNames(prose, record)),
    ...(await checkQuotes(answer, record)),
    ...checkTests(prose, record),
    ...checkChanges(prose, record),
  ]
}
