// Random operations for test/proof/undo.ts: edits as the tools make them, and real shell commands over whatever is there.

/** A generator of numbers below 1 that is the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Draw {
  below(limit: number): number
  oneOf<T>(items: readonly T[]): T
}

export function createDraw(random: () => number): Draw {
  const below = (limit: number): number => Math.floor(random() * limit)
  return { below, oneOf: (items) => items[below(items.length)]! }
}

const NAMES = [
  'a',
  'b',
  'src',
  'lib',
  'Src',
  'x y',
  'é',
  'e\u0301',
  'new\nline',
  '~',
  "it's",
  '-n',
  'f.txt',
  '.dot',
  '$HOME',
  '.env',
]
const CONTENTS = ['', 'x', 'one\n', 'one\r\ntwo\r\n', '\ufeffbom\n', 'no end', 'long '.repeat(200), '\0binary\xff']

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** `./` keeps a name like `-n` from being an option. */
const at = (path: string): string => quoted(`./${path}`)

/** A path that is there, or one that may not be. */
export function drawPath(tree: Record<string, string>, draw: Draw, kind?: 'file' | 'folder'): string {
  const there = Object.keys(tree).filter((path) => kind === undefined || tree[path]!.startsWith(kind))
  if (there.length > 0 && draw.below(10) < 8) return draw.oneOf(there)
  return drawNew(tree, draw)
}

/** A path in a folder that is there, or in one that would have to be made. */
export function drawNew(tree: Record<string, string>, draw: Draw): string {
  const folders = Object.keys(tree).filter((path) => tree[path]!.startsWith('folder') && path.split('/').length < 4)
  const parent = folders.length > 0 && draw.below(3) > 0 ? `${draw.oneOf(folders)}/` : ''
  return `${parent}${draw.oneOf(NAMES)}${draw.below(4) === 0 ? draw.below(5) : ''}`
}

/** One shell command; that it may fail is part of it. */
export function drawCommand(tree: Record<string, string>, draw: Draw, git: boolean): string {
  const any = (): string => at(drawPath(tree, draw))
  const file = (): string => at(drawPath(tree, draw, 'file'))
  const folder = (): string => at(drawPath(tree, draw, 'folder'))
  const fresh = (): string => at(drawNew(tree, draw))
  const text = (): string => quoted(draw.oneOf(CONTENTS).replaceAll('\0', 'z'))
  const commands: (() => string)[] = [
    () => `mv ${any()} ${any()}`,
    () => `mv ${folder()} ${fresh()}`,
    () => `mv ${folder()} ${folder()}`,
    () => `mv -T ${any()} ${any()}`,
    () => swap(folder(), folder()),
    () => swap(file(), file()),
    () => `cp -a ${any()} ${fresh()}`,
    () => `cp -p ${file()} ${any()}`,
    () => `cp --remove-destination ${file()} ${file()}`,
    () => `rm -f ${file()}`,
    () => `rm -rf ${any()}`,
    () => `rmdir ${folder()}`,
    () => `ln ${file()} ${fresh()}`,
    () => `ln -f ${file()} ${file()}`,
    () => `ln -s ${quoted(draw.oneOf(['a', '../src', 'nowhere', '/nowhere/at all', '.']))} ${fresh()}`,
    () => `ln -sfn ${quoted(drawPath(tree, draw))} ${any()}`,
    () => `mkdir -p ${fresh()}/${quoted(draw.oneOf(NAMES))}`,
    () => `mkdir ${fresh()}`,
    () => `chmod ${draw.oneOf(['755', '644', '600', '700', '444', '4755', '640'])} ${file()}`,
    () => `chmod ${draw.oneOf(['755', '700', '750', '775', '1777'])} ${folder()}`,
    () => `chmod -R u+rwX,go-w ${folder()}`,
    () => `touch -d '${draw.oneOf(['1 hour ago', '1990-01-01', '2035-01-01'])}' ${any()}`,
    () => `sed -i s/o/0/ ${file()}`,
    () => `truncate -s ${draw.below(40)} ${file()}`,
    () => `printf %s ${text()} >> ${file()}`,
    () => `printf %s ${text()} > ${any()}`,
    () => `printf %s ${text()} > ${fresh()}`,
    () => sameTimes(file()),
    () => `tar cf t.tar -- ${any()} && mkdir -p ${fresh()} && tar xf t.tar -C ${folder()}; rm -f t.tar`,
    () => `find ${folder()} -type f -exec touch -d '1 day ago' {} +`,
    () => `rm -rf ${folder()} && printf file > ${fresh()}`,
    () => becomes(file(), 'mkdir P; printf in > P/in'),
    () => becomes(folder(), 'printf file > P'),
    () => becomes(folder(), 'ln -s src P'),
    () => 'true',
  ]
  const withGit: (() => string)[] = [
    () => `git mv ${any()} ${fresh()}`,
    () => `git rm -rfq -- ${any()}`,
    () => 'git add -A; git -c user.name=a -c user.email=a@b commit -qm c',
    () => `git checkout -q -- ${any()}`,
    () => 'git status -s',
  ]
  return draw.oneOf(git ? [...commands, ...withGit] : commands)()
}

function swap(a: string, b: string): string {
  return `test ${a} != ${b} && mv -T ${a} ./swap-t && mv -T ${b} ${a} && mv -T ./swap-t ${b} || mv -nT ./swap-t ${a}`
}

/** The content changes, size and times do not. */
function sameTimes(file: string): string {
  return `test -f ${file} && touch -r ${file} ./same-t && tr a-y b-z < ${file} > ./same-u && cat ./same-u > ${file} && touch -r ./same-t ${file}; rm -f ./same-t ./same-u`
}

function becomes(path: string, script: string): string {
  return `rm -rf ${path}; ${script.replaceAll('P', path)}`
}

/** Contents an edit tool writes: text. */
export function drawContent(draw: Draw): string {
  return draw.oneOf(CONTENTS.filter((each) => !each.includes('\0')))
}
