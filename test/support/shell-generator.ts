// Generates commands for the comparison with bash: from bash's grammar, from commands as people write them, and changed
// by a few characters. A seed gives the same commands each time.

export type Random = () => number

/** Numbers in [0, 1) from a seed (mulberry32, public domain). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const GENERATED_VARIABLES = ['PATH', 'GIT_DIR', 'PS4', 'LD_PRELOAD', 'N', 'V', 'x', 'y'] as const

const NAMES = ['c1', 'c2', 'c3', 'c4', 'w0', 'ls', 'rm', 'git', 'touch', 'cat']
const TEXTS = [
  'a',
  'b c',
  '-rf',
  '1',
  'x=1',
  'é',
  '.',
  'a;b',
  'a&b',
  'z|z',
  '#h',
  '$',
  '~',
  '*',
  '{m,n}',
  '(',
  ')',
  '<',
  '>',
  '\\',
  '!',
  'EOF',
  '',
]
const BARE = [
  'a',
  'b',
  '-rf',
  '--x=y',
  '1',
  '2',
  'x=1',
  'a=~/b',
  'a#b',
  '.',
  './z',
  'é',
  '=',
  '==',
  '@',
  '%',
  '+',
  ',',
  '^',
  'in',
  'do',
  'then',
  'esac',
  'time',
  'function',
]
const ODD_BARE = [
  '~',
  '~/k',
  '~x',
  '*',
  '?',
  '[a]',
  '[',
  ']',
  '{m,n}',
  '{1..3}',
  '{',
  '}',
  '{}',
  '{a}',
  '{x,',
  '!',
  '!a',
  '$',
  'a$',
  '-',
  '--',
  'a:~',
  '{fd}',
  '[[',
  ']]',
  '{$x,b}',
  '@(a)',
  '+(b)',
]
const KEYWORDS = [
  'if',
  'fi',
  'then',
  'do',
  'done',
  'case',
  'esac',
  'for',
  'in',
  'while',
  '{',
  '}',
  '!',
  '[[',
  'time',
  'coproc',
  'select',
  'function',
  'else',
]
const SPECIAL = Array.from(' \t\n;&|<>()$`\\"\'{}[]*?~#=!%:,-+^@1axEO')

/** Commands as people write them; their programs do not exist where they are run. */
const REAL = [
  'git log --oneline | head -20',
  'git status && git diff --stat',
  "grep -rn 'foo bar' src | sort | uniq -c",
  'find . -name "*.ts" -not -path "./node_modules/*" | xargs wc -l',
  'for f in *.ts; do wc -l "$f"; done',
  'while read -r line; do c1 "$line"; done <<< "$V"',
  'if [ -f a.ts ]; then cat a.ts; else touch a.ts; fi',
  'cd d1 && c1 && cd ..',
  'npm test 2>&1 | tail -20',
  "sed -n '1,20p' a.ts > out.txt",
  "awk '{print $1}' a.ts",
  'git commit -m "$(cat <<\'EOF\'\nSay what changed\n\nMore.\nEOF\n)"',
  "cat > o1 <<'EOF'\nline $x `c3`\nEOF",
  'cat <<-EOF | c2\n\tvalue ${x:-none}\n\tEOF',
  'x=$(c1 a); c2 "$x"',
  'n=0; while [ $n -lt 2 ]; do c1 $n; n=$((n + 1)); done',
  'case "$x" in a|b) c1;; *) c2;; esac',
  '[[ -n $x && $x == a* ]] && c1',
  'mkdir -p out && (cd d1; c1 > o2) || c2',
  'c1 | tee o1 | c2 >/dev/null 2>&1',
  'ls -la | awk "{print \\$5}" | sort -n',
  "c1 $'a\\tb' \"c\\\"d\" 'e'\\''f'",
  'f() { c1 "$@"; }; f a b',
  'trap "c1 done" EXIT; c2',
  "eval 'c1 a; c2 b'",
  'export N=1; c1 && echo "$N"',
  'read -r x y <<< "a b"; c1 "$x"',
  'printf -v x %s a; c1 $x',
  'for ((i = 0; i < 2; i++)); do c1 $i; done',
  'c1 <(c2) >(c3)',
  'diff <(ls a) <(ls b)',
  '{ c1; c2; } > o1 2>&1',
  '! c1 || c2 # done',
  'time c1 && echo $?',
  'set -e; c1; c2',
  'command c1; builtin cd d1; exec c2',
  'mapfile -t x < /dev/null; c1 "${x[@]}"',
  'c1 \\\n  --flag \\\n  value',
  'until c1; do c2; done',
  'PATH=./bin c1; GIT_DIR=x c2',
]

export class ShellGenerator {
  readonly #random: Random

  constructor(seed: number) {
    this.#random = randomFrom(seed)
  }

  /** The next command. */
  next(): string {
    const kind = this.#random()
    if (kind < 0.6) return this.#list(2)
    if (kind < 0.82) return this.#mutated(this.#list(1), 1 + this.#below(3))
    if (kind < 0.9) return this.#mutated(this.#pick(REAL), this.#below(4))
    if (kind < 0.96) return this.#joined()
    return this.#list(4)
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)]!
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }

  #many(part: () => string, from: number, to: number, between: string): string {
    return Array.from({ length: from + this.#below(to - from + 1) }, part).join(between)
  }

  /** Pieces of the language in any order. */
  #joined(): string {
    const piece = (): string =>
      this.#pick([
        () => this.#word(1),
        () => this.#pick(KEYWORDS),
        () => this.#pick(SPECIAL),
        () => this.#redirect(1),
        () => this.#pick(NAMES),
      ])()
    return this.#many(() => piece() + (this.#chance(0.6) ? ' ' : ''), 2, 9, '')
  }

  #mutated(text: string, count: number): string {
    let result = text
    for (let i = 0; i < count; i++) {
      const at = this.#below(result.length + 1)
      const kind = this.#random()
      if (kind < 0.45) result = result.slice(0, at) + this.#pick(SPECIAL) + result.slice(at)
      else if (kind < 0.65) result = result.slice(0, at) + result.slice(at + 1)
      else if (kind < 0.75) result = `${result.slice(0, at)}${this.#word(0)}${result.slice(at)}`
      else if (kind < 0.85) result = `${result.slice(0, at)}\\\n${result.slice(at)}`
      else {
        const from = this.#below(result.length)
        result = result.slice(0, at) + result.slice(from, from + 1 + this.#below(8)) + result.slice(at)
      }
    }
    return result
  }

  #list(depth: number): string {
    let text = this.#pipeline(depth)
    const count = this.#chance(0.5) ? 0 : 1 + this.#below(2)
    for (let i = 0; i < count; i++)
      text +=
        this.#pick([' && ', ' || ', '; ', '\n', ';', '&&', ' & ', '||', ' && \\\n', ' &&\n', ' # c\n', '\n\n']) +
        this.#pipeline(depth)
    return text + this.#bodies(text)
  }

  /** The text of a here-document goes behind the line it stands on; only the last line can have one here. */
  #bodies(text: string): string {
    const line = text.slice(text.lastIndexOf('\n') + 1)
    const found = /<<(-?)(['"]?)(E\w)\2/.exec(line)
    if (!found || (!text.endsWith(found[3]!) && text.includes(`\n${found[3]}`))) return ''
    const tab = found[1] === '-' ? '\t' : ''
    const body = this.#many(
      () => `${tab}${this.#pick(TEXTS)} ${this.#chance(0.4) ? this.#expansion(1) : this.#pick(BARE)}\n`,
      0,
      2,
      '',
    )
    return `\n${body}${tab}${found[3]}${this.#pick(['', '\n', `\n${this.#simple(0)}`])}`
  }

  #pipeline(depth: number): string {
    const prefix = this.#chance(0.06) ? this.#pick(['! ', 'time ', 'time -p ', '! ! ', 'coproc ']) : ''
    return (
      prefix +
      this.#many(() => this.#command(depth), 1, this.#chance(0.2) ? 2 : 1, this.#pick([' | ', '|', ' |& ', ' |\n']))
    )
  }

  #command(depth: number): string {
    if (depth === 0 || this.#chance(0.68)) return this.#simple(depth)
    const inner = (): string => this.#list(depth - 1)
    const end = (): string => this.#pick(['; ', '\n', ' ; '])
    const test = (): string =>
      this.#pick([
        () => 'w0',
        () => `[ ${this.#word(0)} = ${this.#word(0)} ]`,
        () => `[[ ${this.#word(0)} == ${this.#word(0)} ]]`,
        () => `w0 ${this.#word(1)}`,
        () => '(( x == 1 ))',
      ])()
    const name = this.#pick(GENERATED_VARIABLES)
    const text = this.#pick([
      () => `{ ${inner()}${end()}}`,
      () => `(${inner()})`,
      () => `if ${test()}${end()}then ${inner()}${end()}${this.#chance(0.5) ? `else ${inner()}${end()}` : ''}fi`,
      () => `while w0${end()}do ${inner()}${end()}done`,
      () => `for ${name} in ${this.#words(depth, 0, 2)}${end()}do ${inner()}${end()}done`,
      () =>
        `case ${this.#word(depth)} in ${this.#pick(['', '('])}${this.#word(0)}${this.#pick(['', '|b', ' | c'])}) ${inner()}${this.#pick([';;', ';;', ' ;& ', '\n;;&'])} *) ${inner()};; esac`,
      () => `${this.#pick(['f', 'g', 'c4'])}() { ${inner()}${end()}}`,
      () => `f() { ${inner()}${end()}}; f ${this.#word(0)}`,
      () => `function g { ${inner()}${end()}}`,
      () => `[[ ${this.#word(depth)} ${this.#pick(['==', '!=', '=~', '<', '=', '-nt'])} ${this.#word(0)} ]]`,
      () => `[[ ${this.#pick(['-n', '-z', '!', '-f', '-v'])} ${this.#word(depth)} ]]`,
      () => `(( ${this.#arithmetic()} ))`,
      () => `for ((x = 0; x < 2; x++)); do ${inner()}${end()}done`,
      () => `select ${name} in a b; do ${inner()}${end()}done`,
    ])()
    return text + (this.#chance(0.2) ? ` ${this.#redirect(depth)}` : '')
  }

  #simple(depth: number): string {
    const parts: string[] = []
    while (this.#chance(0.12)) parts.push(this.#assignment(depth))
    while (this.#chance(0.06)) parts.push(this.#redirect(depth))
    if (parts.length > 0 && this.#chance(0.2)) return parts.join(' ')
    parts.push(this.#chance(0.12) ? this.#builtin(depth) : this.#name())
    const count = this.#below(4)
    for (let i = 0; i < count; i++) parts.push(this.#chance(0.12) ? this.#redirect(depth) : this.#word(depth))
    return parts.join(this.#chance(0.04) ? '\t' : this.#chance(0.03) ? ' \\\n' : ' ')
  }

  #name(): string {
    const name = this.#pick(NAMES)
    if (this.#chance(0.88)) return name
    return this.#pick([
      `"${name}"`,
      `'${name}'`,
      `\\${name}`,
      `$'${name}'`,
      `${name[0]}''${name.slice(1)}`,
      `${name[0]}\\\n${name.slice(1)}`,
      '$x',
      '${x}',
      `$'\\x${name.codePointAt(0)!.toString(16)}'${name.slice(1)}`,
    ])
  }

  #assignment(depth: number): string {
    const name = this.#pick(GENERATED_VARIABLES)
    return this.#pick([
      () => `${name}=${this.#word(depth)}`,
      () => `${name}+=${this.#word(0)}`,
      () => `${name}=(${this.#words(depth, 0, 3)})`,
      () => `${name}=`,
    ])()
  }

  #builtin(depth: number): string {
    const name = this.#pick(GENERATED_VARIABLES)
    return this.#pick([
      () => `read ${this.#pick(['', '-r ', '-ra ', '-d x '])}${name} <<< ${this.#word(depth)};`,
      () => `printf -v ${name} %s ${this.#word(depth)};`,
      () => `export ${name}=${this.#word(depth)};`,
      () => `declare ${this.#pick(['', '-x ', '-r ', '-a '])}${name}=${this.#word(depth)};`,
      () => `export ${name};`,
      () => `mapfile -t ${name} <<< ${this.#word(depth)};`,
      () => `unset ${name};`,
      () => `let ${name}=1;`,
      () =>
        `cd ${this.#pick(['d1', 'd1/d2', '..', 'nowhere', 'd1/..', '"d1"', '-', '', '$x'])} ${this.#pick(['&&', ';', '||', '\n'])}`,
      () => `pushd d1;`,
      () => `eval ${this.#word(depth)} ${this.#pick(['c1', "'c1 a; c2'", '"c3 $x"'])};`,
      () => `command ${this.#pick(['', '-p ', '-- '])}c1`,
      () => `builtin ${this.#pick(['cd d1;', 'eval c1', 'read x;', 'true;'])}`,
      () => `trap ${this.#pick(["'c1 a'", '"c2 $x"', "'cd d1; c3'"])} ${this.#pick(['EXIT', 'DEBUG', 'ERR'])};`,
      () => `set ${this.#pick(['-e', '-u', '-f', '-a', '-k', '-x', '-- a b', '-o posix'])};`,
      () => `exec ${this.#pick(['c1', '', '3> o3', '{x}> o4'])}`,
      () => `: \${${name}${this.#pick([':=', '='])}${this.#word(0)}};`,
      () => `getopts a: ${name} -a b;`,
      () => `local ${name}=1;`,
      () => `shopt -s ${this.#pick(['extglob', 'nullglob', 'expand_aliases'])}\n`,
      () => `alias c1=c2\n`,
    ])()
  }

  #words(depth: number, from: number, to: number): string {
    return this.#many(() => this.#word(depth), from, to, ' ')
  }

  #word(depth: number): string {
    const pieces = this.#chance(0.75) ? 1 : 2 + this.#below(2)
    return this.#many(() => this.#piece(depth), pieces, pieces, '')
  }

  #piece(depth: number): string {
    const kind = this.#random()
    if (kind < 0.36) return this.#pick(BARE)
    if (kind < 0.46) return this.#pick(ODD_BARE)
    if (kind < 0.56) return `'${this.#pick(TEXTS)}'`
    if (kind < 0.7) return `"${this.#many(() => this.#quoted(depth), 0, 2, '')}"`
    if (kind < 0.76)
      return `$'${this.#many(() => this.#pick(['a', '\\n', '\\\\', "\\'", '\\x41', '\\101', '\\u0062', '\\cA', '"', '\\"', ' ', '$x', '\\e', '\\0', '\\z', '#', ';']), 0, 3, '')}'`
    if (kind < 0.82) return `\\${this.#pick(SPECIAL)}`
    return this.#expansion(depth)
  }

  #quoted(depth: number): string {
    const kind = this.#random()
    if (kind < 0.45) return this.#pick(TEXTS).replaceAll(/["\\$`]/g, String.raw`\$&`)
    if (kind < 0.6)
      return this.#pick(["'", '\\"', '\\$', '\\`', '\\\\', '\\a', '\\\n', '\n', '#', '$', '!', "$'", '{a,b}', '*'])
    return this.#expansion(depth)
  }

  #expansion(depth: number): string {
    const kind = this.#random()
    if (kind < 0.3)
      return this.#pick([
        '$x',
        '${x}',
        '$N',
        '$@',
        '$?',
        '$#',
        '$*',
        '$1',
        '${V}',
        '$-',
        '$$',
        '$_',
        '${#x}',
        '${x[0]}',
        '${x[@]}',
        '${!x}',
        '${#}',
        '$10',
      ])
    if (kind < 0.5)
      return `\${${this.#pick(['x', 'y', 'N', '1', '@', 'x[1]'])}${this.#pick([':-', '-', ':+', ':=', '=', '#', '##', '%', '%%', '/', '//', '^', ',,', ':?', ':', '@'])}${this.#pick([() => this.#piece(0), () => this.#pick(TEXTS), () => '1', () => (depth > 0 ? this.#expansion(depth - 1) : 'z'), () => 'a}', () => 'Q'])()}}`
    if (kind < 0.6) return `$((${this.#arithmetic()}))`
    if (depth === 0) return '$V'
    const inner = this.#list(depth - 1)
    if (kind < 0.82) return `$(${inner}${this.#pick(['', ' ', '\n', ' # c\n'])})`
    if (kind < 0.9) return `\`${inner}\``
    return this.#pick([`<(${inner})`, `>(${inner})`, `$(<a)`, `$( (${inner}) )`])
  }

  #arithmetic(): string {
    return this.#pick([
      '1',
      '1 + 2',
      'x',
      'x + 1',
      'y++',
      'x = 2',
      '$x',
      '${#x}',
      '(1) * 2',
      'x[0]',
      '$(c3)',
      '1 << 2',
      'N == 1',
      '$1',
      '16#ff',
      'x ? y : 2',
      "'1'",
      '"1"',
      '(1',
      'x=y,1',
      '-1',
      '1)) + ((2',
    ])
  }

  #redirect(depth: number): string {
    const target = (): string =>
      this.#pick([
        () => `o${this.#below(9)}`,
        () => `o${this.#below(9)}`,
        () => `"o ${this.#below(9)}"`,
        () => this.#word(depth),
      ])()
    return this.#pick([
      () => `> ${target()}`,
      () => `>${target()}`,
      () => `>> ${target()}`,
      () => `2> ${target()}`,
      () => `2>${target()}`,
      () => `&> ${target()}`,
      () => `&>>${target()}`,
      () => `>| ${target()}`,
      () => `<> ${target()}`,
      () => `>& ${target()}`,
      () => `{fd}> ${target()}`,
      () => `12> ${target()}`,
      () => '2>&1',
      () => '>&2',
      () => '2>&-',
      () => '<&-',
      () => '< /dev/null',
      () => `<<< ${this.#word(depth)}`,
      () => this.#pick(['<<EO', "<<'EX'", '<<-EO', '<<"EY"', '<< EO', '<<\\EO']),
    ])()
  }
}
