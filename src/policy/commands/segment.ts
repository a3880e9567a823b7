/** One word of a simple command. */
export interface Word {
  /** What the program gets as this argument; undefined when only the shell will know (variables, substitutions, braces). */
  value: string | undefined
  /** For reading: the value, or what is known of it with `…` for the rest. */
  text: string
  /** Text known to come first, such as `-` of `-$X`; the whole value when it is known. */
  prefix: string
  /**
   * Set when the value is not known but this much is: `number` (`$?`), `shown` (`$HOME`, a variable this very command
   * sets: it may be printed), `pipe` (`<(…)`: it may be opened).
   */
  harmless?: 'number' | 'shown' | 'pipe'
  /** True when the shell expands it against file names; `value` is then the pattern as written. */
  glob: boolean
  /** Set when the program may get none, or several, in its place: `$X` without quotes, `"$@"`, `{a,b}`. */
  many?: true
}

export interface Redirect {
  /** `write` covers `>`, `>>`, `>|`, `&>` and `<>`; `text` is a here-document or here-string; `copy` is `2>&1`. */
  kind: 'read' | 'write' | 'text' | 'copy'
  /** The file; undefined for `text` and `copy`. */
  target?: Word
  /** The text of a here-document or here-string, when it is known. */
  text?: string
  /** Set when that text takes in a value that may not be printed, such as a variable of the environment. */
  hidden?: boolean
}

/** A simple command: the words after the assignments, and what surrounds it. */
export interface Segment {
  words: readonly Word[]
  assignments: readonly Assignment[]
  redirects: readonly Redirect[]
  /** Wrappers and constructs it was found in, outermost first. */
  via: readonly string[]
  /** What its stdin is: nothing of interest, the output of another command, or a text. */
  stdin: 'none' | 'pipe' | 'text'
  /** Folder it runs in relative to where the command starts; undefined when only the shell will know. */
  folder: string | undefined
}

export interface Assignment {
  name: string
  value: Word
  /** Set by `export`, `declare -x` and their like: every program that follows gets it. */
  exported?: true
}

/** A variable that is set by anything but an assignment: `for`, `read`, `printf -v`, `${x:=y}` and so on. */
export interface VariableSetting {
  name: string
  /** What sets it, such as `read`. */
  by: string
  exported?: true
}

/** Something in the text that no verdict may be built on; the whole command is asked about. */
export interface Problem {
  /** One clause, such as `the command's name is only known to the shell ($X)`. */
  reason: string
  /** True when it could hide a command of the blocklist. */
  hides: boolean
}

export interface Analysis {
  segments: readonly Segment[]
  problems: readonly Problem[]
  settings: readonly VariableSetting[]
  /** Set when shells other than bash read the text in another way. */
  bashOnly?: true
}

/** Makes a word whose value is known. */
export function plainWord(value: string): Word {
  return { value, text: quoted(value), prefix: value, glob: false }
}

/** Makes a word that only the shell will know. */
export function dynamicWord(prefix = '', text = `${prefix}…`): Word {
  return { value: undefined, text, prefix, glob: false }
}

/** Writes a value as a shell would have to read it. Control characters show as escapes. */
export function quoted(value: string): string {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(value))
    return `$'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll("'", String.raw`\'`)}'`
  return /^[\w./:=@%,+*?~[\]{}^-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** The segment as one line of text, with the files it reads and writes. */
export function segmentText({ words, assignments, redirects }: Segment): string {
  const set = assignments.map(({ name, value }) => `${name}=${value.text}`)
  const files = redirects.flatMap(({ kind, target }) =>
    target ? [`${kind === 'read' ? '<' : '>'} ${target.text}`] : [],
  )
  return [...set, ...words.map((word) => word.text), ...files].join(' ')
}
