// Promises a tree-sitter grammar by name, from files that came with the package: nothing is downloaded,
// nothing is compiled. One copy per thread, loaded when first asked for. Does not promise a parser:
// make one with `new Parser()` after the grammar is there, and delete it and its trees yourself.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as TreeSitter from 'web-tree-sitter'
import { fromSource, shippedFolder } from './shipped.ts'

const loaded = new Map<string, Promise<TreeSitter.Language>>()
let runtime: Promise<typeof TreeSitter> | undefined

/** Loads the tree-sitter runtime once per thread; its own .wasm lies beside it in node_modules. */
export function loadTreeSitter(): Promise<typeof TreeSitter> {
  runtime ??= import('web-tree-sitter').then(async (module) => {
    await module.Parser.init()
    return module
  })
  return runtime
}

/**
 * Loads a grammar, once per thread.
 *
 * @param name a folder of `src/index/languages/`, for example `bash`
 * @throws Error when there is no such grammar, or its file cannot be read or loaded
 */
export function loadGrammar(name: string): Promise<TreeSitter.Language> {
  let language = loaded.get(name)
  if (language === undefined) {
    language = loadTreeSitter().then((module) => module.Language.load(grammarFile(name)))
    loaded.set(name, language)
  }
  return language
}

/** In `dist/` the build has put them side by side; in a source run they are in the package that `language.json` names. */
function grammarFile(name: string): string {
  if (!fromSource) return join(shippedFolder('grammars', ''), `${name}.wasm`)
  const data = join(shippedFolder('languages', 'index/languages'), name, 'language.json')
  const { grammar } = JSON.parse(readFileSync(data, 'utf8')) as { grammar: string }
  return createRequire(import.meta.url).resolve(grammar)
}
