// Which variables the builtins of bash set (bash(1), SHELL BUILTIN COMMANDS).
import { namesOf } from './read-words.ts'
import type { Segment, VariableSetting, Word } from './segment.ts'

export interface BuiltinSettings {
  settings: VariableSetting[]
  /** Why what it does is not known. */
  reason?: string
}

interface Builtin {
  /** Letters of options that take a value. */
  values: string
  /** Words before the first name. */
  skip?: number
  /** Name that is set when none is given. */
  otherwise?: string
  /** Names that are set besides. */
  also?: readonly string[]
  /** At most this many words are names. */
  most?: number
  /** The option whose value is a name. */
  option?: string
  /** Options whose effect is not followed: a callback, an integer whose text is evaluated, another variable's name. */
  refuse?: RegExp
}

const declares: Builtin = { values: '', refuse: /^[-+][a-zA-Z]*[inf]/ }
const BUILTINS: Readonly<Record<string, Builtin>> = {
  read: { values: 'adinNptu', option: 'a', otherwise: 'REPLY' },
  mapfile: { values: 'dnOsuCc', otherwise: 'MAPFILE', refuse: /^-[a-zA-Z]*C/ },
  readarray: { values: 'dnOsuCc', otherwise: 'MAPFILE', refuse: /^-[a-zA-Z]*C/ },
  printf: { values: 'v', option: 'v', most: 0 },
  wait: { values: 'p', option: 'p', most: 0 },
  getopts: { values: '', skip: 1, most: 1, also: ['OPTARG', 'OPTIND', 'OPTERR'] },
  unset: { values: '' },
  declare: declares,
  typeset: declares,
  local: declares,
  readonly: declares,
  export: { ...declares, refuse: /^-[a-zA-Z]*f/ },
}

/** The variables that a simple command sets, besides its own assignments; undefined for what is no such builtin. */
export function settingsOf({ words }: Pick<Segment, 'words'>): BuiltinSettings | undefined {
  const [first, ...args] = words
  const by = first?.value ?? ''
  if (by === 'let') return letSettings(args)
  const builtin = Object.hasOwn(BUILTINS, by) ? BUILTINS[by]! : undefined
  if (!builtin) return undefined
  const found: Word[] = []
  const options: string[] = []
  let at = 0
  for (; at < args.length; at++) {
    const { value, many } = args[at]!
    if (value === undefined ? many && by !== 'getopts' : false) return unknown(by)
    if (value === undefined || !/^[-+]./.test(value)) break
    if (value === '--') {
      at++
      break
    }
    if (builtin.refuse?.test(value)) return { settings: [], reason: `${by} ${value} may run or redefine commands` }
    options.push(value)
    const letter = Array.from(value.slice(1)).findIndex((each) => builtin.values.includes(each))
    if (letter < 0) continue
    const attached = value.slice(letter + 2)
    const word = attached === '' ? args[++at] : undefined
    if (value[letter + 1] !== builtin.option) continue
    if (attached !== '') found.push({ value: attached, text: attached, prefix: attached, glob: false })
    else if (word) found.push(word)
  }
  const names = args.slice(at + (builtin.skip ?? 0))
  const taken = builtin.most === undefined ? names : names.slice(0, builtin.most)
  found.push(...taken)
  const isExported = by === 'export' || options.some((option) => /^-[a-zA-Z]*x/.test(option))
  const settings: VariableSetting[] = (builtin.also ?? []).map((name) => ({ name, by }))
  for (const { value, glob, many } of found) {
    const name = /^([A-Za-z_]\w*)(?:\+?=[^]*)?$/.exec(value ?? '')?.[1]
    if (name === undefined || glob || many) return unknown(by)
    settings.push({ name, by, ...(isExported ? { exported: true as const } : {}) })
  }
  if (found.length === 0 && builtin.otherwise !== undefined) settings.push({ name: builtin.otherwise, by })
  return { settings }
}

const unknown = (by: string): BuiltinSettings => ({
  settings: [],
  reason: `which variable ${by} sets is only known to the shell`,
})

/** Every word of `let` is an expression. */
function letSettings(args: readonly Word[]): BuiltinSettings {
  const settings: VariableSetting[] = []
  let isClear = true
  for (const { value, glob } of args) {
    if (
      value === undefined ||
      glob ||
      !/^[A-Za-z_]\w*\s*[-+*/%]?=[-+*/%\d\s()]+$|^[A-Za-z_]\w*(?:\+\+|--)$/.test(value)
    )
      isClear = false
    else settings.push(...namesOf(value, () => (isClear = false)).sets.map((name) => ({ name, by: 'let' })))
  }
  return { settings, ...(isClear ? {} : { reason: 'arithmetic with names may run commands' }) }
}
