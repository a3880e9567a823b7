// How many of universal-ctags' definitions (name and line) the grammar languages find, and how fast.
// node bench/index/languages.ts FOLDER [LANGUAGE...]    needs `ctags` (apt-get install universal-ctags)
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { FILE_FLAG, HEAD, sectionStart, STRIDE, SYMBOL } from '../../src/index/facts.ts'
import { FactsWriter } from '../../src/index/facts-writer.ts'
import { loadExtract } from '../../src/index/languages/tree-sitter/engine.ts'
import { readLanguages, type LanguageData } from '../../src/index/languages/tree-sitter/language-data.ts'

/** Name of each language to ctags, and its kinds that are no definitions: headers, locals, packages of a file, anchors. */
const CTAGS: Record<string, { name: string; skip: string[] }> = {
  bash: { name: 'Sh', skip: ['heredoc', 'script'] },
  c: { name: 'C', skip: ['header', 'local'] },
  cpp: { name: 'C++', skip: ['header', 'local'] },
  csharp: { name: 'C#', skip: ['namespace'] },
  css: { name: 'CSS', skip: [] },
  go: { name: 'Go', skip: ['package', 'packageName', 'anonMember', 'unknown'] },
  html: { name: 'HTML', skip: ['anchor', 'class', 'script', 'stylesheet'] },
  java: { name: 'Java', skip: ['package'] },
  php: { name: 'PHP', skip: ['alias', 'local'] },
  python: { name: 'Python', skip: ['unknown', 'namespace'] },
  ruby: { name: 'Ruby', skip: [] },
  rust: { name: 'Rust', skip: ['implementation'] },
}
/** Larger files are indexed as text only. */
const MAX_BYTES = 1024 * 1024

const [folder = '.', ...only] = process.argv.slice(2)
for (const data of readLanguages()) {
  if (only.length > 0 && !only.includes(data.id)) continue
  const files = filesOf(data)
  if (files.length > 0) await compare(data, files)
}

function filesOf({ extensions }: LanguageData): string[] {
  const patterns = extensions.map((extension) => `**/*${extension}`)
  const paths = globSync(patterns, { cwd: folder, exclude: (name) => basename(name) === 'node_modules' })
  return paths
    .map((path) => resolve(folder, path))
    .filter((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat !== undefined && stat.isFile() && stat.size <= MAX_BYTES && !/[\t\n]/u.test(path)
    })
}

async function compare(data: LanguageData, files: string[]): Promise<void> {
  const extract = await loadExtract(data)
  const out = new FactsWriter()
  const ours = new Set<string>()
  let errors = 0
  let bytes = 0
  const start = process.cpuUsage()
  for (const path of files) {
    const text = readFileSync(path, 'utf8')
    bytes += text.length
    extract({ path, bytes: Buffer.alloc(0), text }, out)
    out.endFile()
    const { facts } = out.takeBatch()
    if (facts[HEAD.flags]! & FILE_FLAG.parseError) errors++
    for (const [line, name] of symbolsOf(facts, out, text)) ours.add(`${path}\t${line}\t${name}`)
  }
  const spent = process.cpuUsage(start).user / 1e6
  const theirs = tagsOf(data.id, files)
  const missed = [...theirs].filter((tag) => !ours.has(tag))
  writeFileSync(join('/tmp', `missed-${data.id}.txt`), missed.join('\n'))
  const found = theirs.size - missed.length
  const percent = ((100 * found) / theirs.size).toFixed(1)
  console.log(
    `${data.id}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / 1e6 / spent).toFixed(1)} MB per CPU second, ` +
      `${errors} with parse errors; ctags ${theirs.size} definitions, found ${percent} %; ours ${ours.size}`,
  )
}

function* symbolsOf(facts: Int32Array, out: FactsWriter, text: string): Generator<[number, string]> {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const base = sectionStart(facts, 'symbols')
  const rows = Array.from({ length: facts[HEAD.symbols]! }, (_, row) => base + row * STRIDE.symbols)
  rows.sort((a, b) => facts[a + SYMBOL.nameStart]! - facts[b + SYMBOL.nameStart]!)
  let line = 0
  for (const at of rows) {
    while (line < starts.length && starts[line]! <= facts[at + SYMBOL.nameStart]!) line++
    yield [line, out.names.text(facts[at + SYMBOL.name]!)]
  }
}

function tagsOf(id: string, files: string[]): Set<string> {
  const { name, skip } = CTAGS[id]!
  const options = [
    `--languages=${name}`,
    `--language-force=${name}`,
    '--output-format=json',
    '--fields=+nK',
    '--extras=-F',
  ]
  const lines = execFileSync('ctags', [...options, '-L', '-', '-f', '-'], {
    input: files.join('\n'),
    maxBuffer: 2 ** 30,
  })
  const tags = new Set<string>()
  for (const line of lines.toString().split('\n')) {
    if (!line.startsWith('{')) continue
    const tag = JSON.parse(line) as { _type: string; path: string; line: number; name: string; kind: string }
    if (tag._type === 'tag' && !skip.includes(tag.kind) && !/^(?:__)?anon/iu.test(tag.name))
      tags.add(`${tag.path}\t${tag.line}\t${tag.name}`)
  }
  return tags
}
