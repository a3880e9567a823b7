/**
 * Turns a line of the model's text into one indented as the file is; undefined for a line whose indentation cannot be that of the
 * old text's lines.
 */
export type Reindent = (line: string) => string | undefined

const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0]
const isBlank = (line: string): boolean => line.trim() === ''

// Indentation units that are tried when spaces stand for tabs or another width.
const WIDTHS = [4, 2, 8, 3]

/**
 * The one shift that turns the indentation of every old line into that of its file line, or null: the same white
 * space put before each line, taken from each, or tabs for so many spaces (either way round, any depth).
 * Blank lines do not count. The lines agree otherwise; that is the caller's check.
 */
export function uniformShift(oldLines: string[], fileLines: string[]): Reindent | null {
  const pairs = oldLines
    .map((line, at) => [indentOf(line), indentOf(fileLines[at]!), line] as const)
    .filter(([, , line]) => !isBlank(line))
    .map(([old, file]) => [old, file] as const)
  if (pairs.length === 0) return null
  return addedPrefix(pairs) ?? removedPrefix(pairs) ?? convertedUnit(pairs)
}

type Pairs = (readonly [old: string, file: string])[]

function addedPrefix(pairs: Pairs): Reindent | null {
  const [old, file] = pairs[0]!
  if (!file.endsWith(old)) return null
  const prefix = file.slice(0, file.length - old.length)
  if (!pairs.every(([old, file]) => file === prefix + old)) return null
  return (line) => (isBlank(line) ? line : prefix + line)
}

function removedPrefix(pairs: Pairs): Reindent | null {
  const [old, file] = pairs[0]!
  if (!old.endsWith(file)) return null
  const prefix = old.slice(0, old.length - file.length)
  if (!pairs.every(([old, file]) => old === prefix + file)) return null
  return (line) => (isBlank(line) ? line : line.startsWith(prefix) ? line.slice(prefix.length) : undefined)
}

/** Depth in another unit, the same one where that fits, else with a constant number of levels between. */
function convertedUnit(pairs: Pairs): Reindent | null {
  const fits = unitPairs(pairs)
    .map(([from, to]) => ({ from, to, shift: levelShift(pairs, from, to) }))
    .filter(({ shift }) => shift !== null)
  const fit = fits.find(({ shift }) => shift === 0) ?? fits[0]
  if (fit === undefined) return null
  const { from, to } = fit
  const shift = fit.shift ?? 0
  return (line) => {
    const indent = indentOf(line)
    const depth = Math.floor(indent.length / from.length)
    if (isBlank(line)) return line
    // What is left of a level aligns a line with something above it.
    if (!indent.startsWith(from.repeat(depth)) || depth + shift < 0) return undefined
    return to.repeat(depth + shift) + line.slice(depth * from.length)
  }
}

function levelShift(pairs: Pairs, from: string, to: string): number | null {
  let shift: number | null = null
  for (const [old, file] of pairs) {
    const [oldLevel, fileLevel] = [levelOf(old, from), levelOf(file, to)]
    if (oldLevel === null || fileLevel === null) return null
    if (shift !== null && fileLevel - oldLevel !== shift) return null
    shift = fileLevel - oldLevel
  }
  return shift
}

function unitPairs(pairs: Pairs): [string, string][] {
  const oldTabs = pairs.some(([old]) => old.includes('\t'))
  const fileTabs = pairs.some(([, file]) => file.includes('\t'))
  if (oldTabs && fileTabs) return []
  const widths = WIDTHS.map((width) => ' '.repeat(width))
  if (fileTabs) return widths.map((unit) => [unit, '\t'])
  if (oldTabs) return widths.map((unit) => ['\t', unit])
  return widths.flatMap((from) => widths.filter((to) => to !== from).map((to): [string, string] => [from, to]))
}

function levelOf(indent: string, unit: string): number | null {
  const level = indent.length / unit.length
  return Number.isInteger(level) && indent === unit.repeat(level) ? level : null
}
