import { dynamicWord, plainWord, type Word } from './segment.ts'

/** How a program that runs the command in its arguments takes options. */
export interface Wrapper {
  /** Options that take the next word, as single letters of a bundle or long names. */
  values?: RegExp
  /** Words before the inner command, such as the duration of timeout. */
  before?: number
  /** What the inner command gets besides its words: xargs adds some from stdin. */
  adds?: boolean
  /** `VAR=value` words come before the command. */
  assigns?: boolean
  /** Options after which it runs no command. */
  none?: RegExp
  /** The option that names a file it reads or writes itself. */
  opens?: { short: string; long: string; kind: 'read' | 'write' }
}

/** Programs that run the command in their arguments, with the options that take a value (GNU coreutils, bash, busybox). */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { values: /^(?:-[a-zA-Z0]*[uCPa]|--unset|--chdir|--argv0)$/, assigns: true },
  nohup: {},
  time: {
    values: /^(?:-[a-z]*[fo]|--format|--output)$/,
    opens: { short: 'o', long: 'output', kind: 'write' },
  },
  command: { none: /^-[pvV]*[vV]/ },
  builtin: {},
  exec: { values: /^-[cl]*a$/ },
  nice: { values: /^(?:-n|--adjustment)$/ },
  ionice: { values: /^(?:-[cnpPu]|--class|--classdata|--pid)$/ },
  chrt: { values: /^-[TPD]$/, before: 1 },
  timeout: { values: /^(?:-[vp]*[sk]|--signal|--kill-after)$/, before: 1 },
  gtimeout: { values: /^(?:-[vp]*[sk]|--signal|--kill-after)$/, before: 1 },
  setsid: {},
  stdbuf: { values: /^(?:-[ioe]|--input|--output|--error)$/ },
  unbuffer: {},
  caffeinate: { values: /^-[tw]$/ },
  busybox: { none: /^--(?:list|install|help)/ },
  toybox: {},
  xargs: {
    values:
      /^(?:-[0prtxo]*[adEILnPsJRS]|--arg-file|--delimiter|--max-lines|--max-args|--max-procs|--max-chars|--process-slot-var)$/,
    adds: true,
    opens: { short: 'a', long: 'arg-file', kind: 'read' },
  },
  sudo: {
    values:
      /^(?:-[a-zA-Z]*[CDghpRrtTUu]|--user|--group|--host|--prompt|--chdir|--chroot|--role|--type|--close-from|--other-user|--command-timeout)$/,
    assigns: true,
  },
  doas: { values: /^-[aCu]$/ },
  watch: { values: /^(?:-[a-z]*[nq]|--interval|--equexit)$/ },
  coproc: {},
}

/** Whether the next word is an option's value; GNU takes any beginning of a long option for it. */
export function takesNext({ values }: Wrapper, option: string): boolean {
  if (values === undefined || values.test(option)) return values !== undefined
  if (!/^--[a-z]/.test(option) || option.includes('=')) return false
  const long = values.source.match(/--[a-z][a-z0-9-]*/g) ?? []
  return long.some((name) => name.startsWith(option))
}

/** The file an option of a wrapper names: `-o x`, `-ox`, `--output x`, `--output=x` or a shortening of it. */
export function openedFile(
  { short, long }: NonNullable<Wrapper['opens']>,
  option: Word,
  next: Word | undefined,
): Word | undefined {
  const text = option.value ?? option.prefix
  const attached = (from: number): Word | undefined => {
    if (from < text.length)
      return option.value === undefined ? dynamicWord(text.slice(from)) : plainWord(text.slice(from))
    return option.value === undefined ? dynamicWord() : next
  }
  if (text.startsWith('--')) {
    const equals = text.indexOf('=')
    const name = text.slice(2, equals < 0 ? undefined : equals)
    if (name.length === 0 || !long.startsWith(name)) return undefined
    return equals < 0 ? next : attached(equals + 1)
  }
  const at = text.indexOf(short, 1)
  return at < 0 ? undefined : attached(at + 1)
}
