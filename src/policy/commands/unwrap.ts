import { readEnvString } from './env-string.ts'
import type { CommandParser, ParseOptions } from './parse-command.ts'
import { programName } from './block-list.ts'
import {
  dynamicWord,
  plainWord,
  type Analysis,
  type Problem,
  type Segment,
  type VariableSetting,
  type Word,
} from './segment.ts'
import { settingsOf } from './settings.ts'
import { openedFile, takesNext, WRAPPERS, type Wrapper } from './wrappers.ts'

/** Wrappers inside wrappers; a person nests two or three. */
const MAX_DEPTH = 12

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'fish'])
/** Shells whose language is not that of POSIX: they run code where bash sees a word (zsh(1), fish(1)). */
const OWN_LANGUAGE = /^(?:zsh|fish) /
/** Shells that read a text as POSIX says, and differ in what bash adds. */
const POSIX_SHELL = /^(?:sh|dash|ash|ksh|mksh|at|batch|crontab|su|watch)\b/
/** A text that every shell reads in the same way. */
const PLAIN = /^[\w./:@,+-]+(?: [\w./:=@,+-]+)*$/
/** Programs that have a shell run what they read, at another time. */
const LATER = new Set(['at', 'batch', 'crontab'])

/** Builtins that evaluate a name such as `a[$(cmd)]` (bash(1), ARRAYS and ARITHMETIC EVALUATION). */
const EVALUATES =
  /^(?:let|declare|typeset|local|export|readonly|unset|read|printf|test|\[|mapfile|readarray|getopts|wait)$/
/** Builtins that change what a name runs, or run a text given in an option. */
const REDEFINES = /^(?:alias|shopt|enable|hash|bind|complete|compgen|fc|history)$/
/** Options of `set` that change neither how the text is read nor what a name runs (bash(1), set). */
const QUIET_SET = /^(?:[-+][aeuxfvC]*o?|--|pipefail|errexit|nounset|xtrace|noglob|noclobber|verbose|allexport)$/

/** Sees through wrappers: every command that would run becomes a segment of its own; a wrapper that only wraps is none. */
export function unwrap(analysis: Analysis, parse: CommandParser, options: ParseOptions): Analysis {
  const segments: Segment[] = []
  const problems: Problem[] = [...analysis.problems]
  const settings: VariableSetting[] = [...analysis.settings]
  const hide = (reason: string): void => {
    if (!problems.some((problem) => problem.reason === reason)) problems.push({ reason, hides: true })
  }

  /** Reads a text that a shell will run, in place of the segment that carries it. */
  const script = (text: string | undefined, segment: Segment, via: string, depth: number): void => {
    if (text === undefined) return hide(`${via} runs a text that is only known to the shell`)
    const inner = parse(text, options)
    const isForeign = OWN_LANGUAGE.test(`${via} `) ? !PLAIN.test(text) : inner.bashOnly && POSIX_SHELL.test(via)
    if (isForeign) hide(`${via.split(' ')[0]} may read the text of its command in another way`)
    settings.push(...inner.settings)
    for (const problem of inner.problems) hide(`${problem.reason}, in ${via}`)
    for (const each of inner.segments) {
      const folder = joinFolder(segment.folder, each.folder)
      visit(
        {
          ...each,
          folder,
          via: [...segment.via, via, ...each.via],
          stdin: each.stdin === 'none' ? segment.stdin : each.stdin,
        },
        depth + 1,
      )
    }
  }

  const visit = (segment: Segment, depth: number): void => {
    const [first, ...rest] = segment.words
    const name = first?.value === undefined ? undefined : programName(first.value)
    if (name === undefined || depth > MAX_DEPTH) {
      if (depth > MAX_DEPTH) hide('commands nested too deep')
      segments.push(segment)
      return
    }
    if (SHELLS.has(name)) return shell(segment, name, rest, depth)
    if (LATER.has(name)) return later(segment, name, depth)
    if (name === 'eval' || name === 'trap') {
      const given = rest[0]?.value === '--' ? rest.slice(1) : rest
      // `trap -p` and `trap -l` only print.
      if (name === 'trap' && (rest.length === 0 || /^-[lp]+$/.test(rest[0]?.value ?? '')))
        return void segments.push(segment)
      const words = name === 'trap' ? given.slice(0, 1) : given
      const text = words.every((word) => word.value !== undefined && !word.glob)
        ? words.map((word) => word.value).join(' ')
        : undefined
      segments.push({ ...segment, words: [first!] })
      // A trap runs wherever the shell is by then, with its input.
      const later: Segment = name === 'trap' ? { ...segment, folder: undefined, stdin: 'pipe' } : segment
      return script(text, later, name, depth)
    }
    checkBuiltin(name, rest)
    if ((name === 'source' || name === '.') && rest[0]?.value === undefined)
      hide('what is sourced is only known to the shell')
    if (name === 'find') {
      segments.push(segment)
      return findActions(segment, rest, depth)
    }
    const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
    if (!wrapper) return void segments.push(segment)
    wrapped(segment, name, wrapper, rest, depth)
  }

  const checkBuiltin = (name: string, args: readonly Word[]): void => {
    // A value without quotes may become `-v a[$(cmd)]`.
    const isOpen = (word: Word): boolean => word.value === undefined && word.many === true && word.harmless !== 'number'
    const evaluated =
      EVALUATES.test(name) &&
      args.some((word) => /`|\$\(/.test(word.value ?? '') || (/^(?:test|\[|unset)$/.test(name) && isOpen(word)))
    const isNamed =
      /^(?:test|\[)$/.test(name) &&
      args.some((word, at) => /^-[vR]$/.test(args[at - 1]?.value ?? '') && word.value === undefined)
    if (evaluated || isNamed || REDEFINES.test(name)) hide(`${name} may run or redefine commands`)
    if (name === 'jobs' && args.some((word) => word.value !== '-l' && word.value !== '-p'))
      hide('jobs may run commands')
    if (name === 'set') {
      const at = args.findIndex((word) => word.value === '--' || !/^[-+]/.test(word.value ?? word.prefix))
      const flags = args.filter(
        (_, i) => at < 0 || i < at || (i === at && /^[-+][a-zA-Z]*o$/.test(args[i - 1]?.value ?? '')),
      )
      const isOpenAt = at >= 0 && args[at]!.value !== '--' && isOpen(args[at]!)
      if (isOpenAt || flags.some((word) => !QUIET_SET.test(word.value ?? '?')))
        hide('set changes how commands are read')
    }
  }

  const wrapped = (segment: Segment, name: string, wrapper: Wrapper, args: readonly Word[], depth: number): void => {
    const assignments = [...segment.assignments]
    const redirects = [...segment.redirects]
    let at = 0
    let words = [...args]
    for (; at < words.length; at++) {
      const { value, prefix } = words[at]!
      if (value === undefined && (prefix === '' || prefix.startsWith('-'))) {
        hide(`${name} has an argument that is only known to the shell before its command`)
        break
      }
      const text = value ?? prefix
      if (name === 'env' && /^(?:-[a-zA-Z0]*S|--split-string(?:=|$)|--split)/.test(text)) {
        const split = readEnvString(words, at)
        if (!split) {
          hide('env -S with a text that is not understood')
          break
        }
        words = [...words.slice(0, at), ...split]
        at--
        continue
      }
      if (text === '--') {
        at++
        break
      }
      const assigned = wrapper.assigns ? /^([^=-][^=]*)=/.exec(text) : null
      if (assigned) {
        assignments.push({
          name: assigned[1]!,
          value: value === undefined ? dynamicWord() : plainWord(value.slice(assigned[0].length)),
        })
        continue
      }
      if (!text.startsWith('-') || text === '-') {
        if (text === '-' && name === 'env') continue
        break
      }
      if (wrapper.none?.test(text)) return void segments.push(segment)
      const file = wrapper.opens && openedFile(wrapper.opens, words[at]!, words[at + 1])
      if (file) redirects.push({ kind: wrapper.opens!.kind, target: file })
      if (takesNext(wrapper, text)) at++
    }
    // Assignments may also follow `--`.
    while (wrapper.assigns && at < words.length && /^[^=-][^=]*=/.test(words[at]!.value ?? '')) {
      const [, variable] = /^([^=]*)=/.exec(words[at]!.value!)!
      assignments.push({ name: variable!, value: plainWord(words[at]!.value!.slice(variable!.length + 1)) })
      at++
    }
    const chdir = name === 'env' && args.some((word) => /^(?:-[a-zA-Z0]*C|--chdir)/.test(word.value ?? ''))
    const given = words.slice(at + (wrapper.before ?? 0))
    // xargs alone gives what it reads to echo.
    const inner = name === 'xargs' && given.length === 0 ? [plainWord('echo')] : given
    if (name === 'sudo' || name === 'doas')
      segments.push({ ...segment, words: segment.words.slice(0, 1), redirects: [] })
    if (inner.length === 0) {
      // A wrapper with nothing to wrap is itself the command.
      if (name !== 'exec') segments.push(segment)
      else if (segment.redirects.length > 0 || assignments.length > 0)
        segments.push({ ...segment, words: [], assignments })
      if (name === 'exec' && segment.redirects.length > 0) hide('exec redirects everything that follows')
      return
    }
    if (name === 'watch') {
      const text = inner.every((word) => word.value !== undefined)
        ? inner.map((word) => word.value).join(' ')
        : undefined
      return script(text, segment, name, depth)
    }
    const replaced =
      wrapper.adds && given.length > 0 ? withAdded(args.slice(0, args.length - inner.length), inner) : inner
    visit(
      {
        ...segment,
        words: replaced,
        assignments,
        redirects,
        via: [...segment.via, name],
        // xargs gives its command /dev/null as stdin.
        stdin: wrapper.adds ? 'none' : segment.stdin,
        folder: chdir ? undefined : segment.folder,
      },
      depth + 1,
    )
  }

  const shell = (segment: Segment, name: string, args: readonly Word[], depth: number): void => {
    let at = 0
    let fromText = false
    let fromInput = false
    for (; at < args.length; at++) {
      const { value } = args[at]!
      if (value === undefined || args[at]!.glob) return hide(`${name} runs something that is only known to the shell`)
      if (value === '--' || value === '-') {
        at++
        break
      }
      if (!/^[-+]./.test(value)) break
      if (/^--(?:rcfile|init-file)/.test(value)) return hide(`${name} ${value} runs a file first`)
      // Aliases, history, extended patterns and the POSIX mode change how a text is read.
      if (
        /^(?:[-+][a-zA-Z]*[ikoOBHt]|--(?:posix|interactive|debugger))/.test(value) &&
        !/^-o(?:pipefail)?$/.test(value)
      )
        hide(`${name} ${value} changes how commands are read`)
      if (/^[-+][a-zA-Z]*[oO]$/.test(value)) at++
      if (/^-[a-zA-Z]*c/.test(value)) fromText = true
      if (/^-[a-zA-Z]*s/.test(value)) fromInput = true
    }
    if (fromText) {
      if (segment.redirects.length > 0 || segment.assignments.length > 0) segments.push({ ...segment, words: [] })
      return script(args[at]?.value, segment, `${name} -c`, depth)
    }
    const only = args[0]?.value
    if (args.length === 1 && only === '--version') return void segments.push(segment)
    if (args[at] === undefined || fromInput) {
      const text = segment.redirects.find((redirect) => redirect.kind === 'text')
      if (segment.stdin === 'text' && text && segment.redirects.length === 1) {
        return script(text.text, { ...segment, stdin: 'none' }, `${name} <<`, depth)
      }
      if (segment.stdin !== 'none') hide(`${name} runs what it reads`)
    }
    segments.push(segment)
  }

  /** What it reads runs later, in a shell. */
  const later = (segment: Segment, name: string, depth: number): void => {
    segments.push(segment)
    const text = segment.redirects.find((redirect) => redirect.kind === 'text')
    if (text) script(text.text, { ...segment, redirects: [], stdin: 'none' }, `${name} <<`, depth)
    else if (segment.stdin !== 'none') hide(`${name} runs what it reads`)
  }

  const findActions = (segment: Segment, args: readonly Word[], depth: number): void => {
    for (let at = 0; at < args.length; at++) {
      if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at]!.value ?? '')) continue
      const start = at + 1
      while (at < args.length && args[at]!.value !== ';' && !(args[at]!.value === '+' && args[at - 1]?.value === '{}'))
        at++
      const inner = args
        .slice(start, at)
        .map((word) =>
          word.value?.includes('{}') ? dynamicWord(word.value.slice(0, word.value.indexOf('{}')) || './') : word,
        )
      const execdir = args[start - 1]!.value !== '-exec'
      visit(
        {
          ...segment,
          words: inner,
          assignments: [],
          redirects: [],
          via: [...segment.via, 'find -exec'],
          stdin: 'none',
          folder: execdir ? undefined : segment.folder,
        },
        depth + 1,
      )
    }
  }

  for (const segment of analysis.segments) visit(segment, 0)
  for (const segment of segments) {
    const found = settingsOf(segment)
    settings.push(...(found?.settings ?? []))
    if (found?.reason !== undefined) hide(found.reason)
  }
  return { segments, problems, settings }
}

/** xargs puts words from stdin at the end, or in place of the text after `-I`. */
function withAdded(options: readonly Word[], inner: readonly Word[]): Word[] {
  const at = options.findIndex(
    (word) => /^-[a-zA-Z0]*[IJ]/.test(word.value ?? '') || /^(?:-i|--replace)/.test(word.value ?? ''),
  )
  if (at < 0) return [...inner, dynamicWord()]
  const option = options[at]!.value!
  const attached = option.replace(/^-[a-zA-Z0]*?[IJi]|^--replace=?/, '')
  const mark = attached !== '' ? attached : /^(?:-i|--replace)/.test(option) ? '{}' : (options[at + 1]?.value ?? '{}')
  return inner.map((word) =>
    word.value?.includes(mark) ? dynamicWord(word.value.slice(0, word.value.indexOf(mark))) : word,
  )
}

function joinFolder(outer: string | undefined, inner: string | undefined): string | undefined {
  if (inner === undefined || outer === undefined) return undefined
  if (inner.startsWith('/')) return inner
  return inner === '.' ? outer : `${outer}/${inner}`
}
