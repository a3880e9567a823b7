// Colours of code, by highlight.js. The library and a language are loaded when code in it first appears; until then, and in
// languages that are not in the list, code is shown plain. One line at a time, with the lines before it as context.
import type { HLJSApi, LanguageFn } from 'highlight.js'
import type { Event } from '../protocol/index.ts'
import type { Theme } from './theme.ts'

/** Lines before that are looked at again: enough for a comment or string that began there. */
const CONTEXT_LINES = 12
/** What may run over the end of its line. A line after lines without it is coloured alone, which is ten times as fast. */
const RUNS_ON = /\/\*|\*\/|`|"""|'''|<!--|=begin|<<|\\$/
/** Languages in which what a line means always depends on the lines before. */
const CONTEXTUAL = new Set(['xml', 'css', 'php', 'yaml'])
/** Longer lines are not coloured. */
const MAX_LINE = 400

const grammars: Record<string, () => Promise<{ default: LanguageFn }>> = {
  typescript: () => import('highlight.js/lib/languages/typescript'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  python: () => import('highlight.js/lib/languages/python'),
  json: () => import('highlight.js/lib/languages/json'),
  bash: () => import('highlight.js/lib/languages/bash'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
  go: () => import('highlight.js/lib/languages/go'),
  rust: () => import('highlight.js/lib/languages/rust'),
  java: () => import('highlight.js/lib/languages/java'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  php: () => import('highlight.js/lib/languages/php'),
  css: () => import('highlight.js/lib/languages/css'),
  xml: () => import('highlight.js/lib/languages/xml'),
  sql: () => import('highlight.js/lib/languages/sql'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  swift: () => import('highlight.js/lib/languages/swift'),
  ini: () => import('highlight.js/lib/languages/ini'),
}

const aliases: Record<string, string> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  yml: 'yaml',
  rs: 'rust',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  kt: 'kotlin',
  toml: 'ini',
  jsonc: 'json',
}

function grammarOf(language: string): string | undefined {
  const name = language.toLowerCase()
  const known = aliases[name] ?? name
  return Object.hasOwn(grammars, known) ? known : undefined
}

/** Style of a class of highlight.js; the rest is plain. */
const styles: Record<string, keyof Theme> = {
  keyword: 'keyword',
  built_in: 'name',
  type: 'name',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  comment: 'comment',
  doctag: 'comment',
  title: 'name',
  attr: 'name',
  attribute: 'name',
  name: 'keyword',
  tag: 'keyword',
  meta: 'comment',
  property: 'name',
  'selector-class': 'name',
  'selector-tag': 'keyword',
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

/** The last line of highlighted HTML, as styled text. */
function lastLine(html: string, theme: Theme): string {
  const open: string[] = []
  let out = ''
  for (const token of html.match(/<span class="[^"]*">|<\/span>|\n|&[#\w]+;|[^<&\n]+/g) ?? []) {
    if (token.startsWith('<span')) {
      const name = /hljs-([\w-]+)/.exec(token)?.[1] ?? ''
      open.push(theme[styles[name] ?? 'reset'])
    } else if (token === '</span>') open.pop()
    else if (token === '\n') out = ''
    else {
      const text = entities[token] ?? token
      const style = open.findLast((each) => each !== theme.reset) ?? ''
      out += style === '' ? text : `${style}${text}${theme.reset}`
    }
  }
  return out
}

export class Highlighter {
  /** False without colours: then nothing is loaded. */
  active = true
  private library: HLJSApi | undefined
  private readonly asked = new Set<string>()
  private readonly loaded = new Set<string>()

  /** One line in colours; plain while its language is not loaded. */
  line(line: string, language: string, before: readonly string[], theme: Theme): string {
    const grammar = grammarOf(language)
    if (!this.active || theme.reset === '' || grammar === undefined || line.length > MAX_LINE || line.trim() === '')
      return line
    if (!this.library || !this.loaded.has(grammar)) {
      void this.need(grammar)
      return line
    }
    const context = before.slice(-CONTEXT_LINES)
    const alone = !CONTEXTUAL.has(grammar) && !context.some((each) => RUNS_ON.test(each))
    const text = alone ? line : [...context, line].join('\n')
    return lastLine(this.library.highlight(text, { language: grammar, ignoreIllegals: true }).value, theme)
  }

  /** Whether these events begin code whose colours are not there yet. */
  mustLoad(events: readonly Event[]): boolean {
    return this.wanted(events).length > 0
  }

  /** Loads the colours those events want. Never rejects: without them code is plain. */
  async load(events: readonly Event[]): Promise<void> {
    await Promise.all(this.wanted(events).map((grammar) => this.need(grammar)))
  }

  private wanted(events: readonly Event[]): string[] {
    if (!this.active) return []
    const names = new Set<string>()
    for (const event of events) {
      if (event.type === 'text-delta')
        for (const [, name] of event.text.matchAll(/```\s*([\w+#.-]+)/g)) names.add(name!)
      if (event.type === 'approval-request')
        for (const { diff } of event.actions) if (diff) names.add(/\.(\w+)$/.exec(diff.path)?.[1] ?? '')
      if (event.type === 'file-change' && event.diff) names.add(/\.(\w+)$/.exec(event.diff.path)?.[1] ?? '')
    }
    return [...names].map(grammarOf).filter((name) => name !== undefined && !this.loaded.has(name)) as string[]
  }

  private async need(grammar: string): Promise<void> {
    if (this.asked.has(grammar)) return
    this.asked.add(grammar)
    try {
      const [{ default: library }, { default: language }] = await Promise.all([
        import('highlight.js/lib/core'),
        grammars[grammar]!(),
      ])
      library.registerLanguage(grammar, language)
      this.library = library
    } catch {
      // Plain code is shown; `loaded` keeps it from being asked for again.
    }
    this.loaded.add(grammar)
  }
}
