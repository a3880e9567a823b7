import type { GraphReport } from '../index/answers.ts'

/** The import graph for Mermaid or Graphviz; hubs and members of cycles are marked. */
export function graphText({ files, edges, cycles, hubs }: GraphReport, format: 'mermaid' | 'dot'): string {
  const hub = new Set(hubs.map(({ path }) => path))
  const cyclic = new Set(cycles.flat())
  const shown = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const quoted = (text: string): string => JSON.stringify(text)
  if (format === 'dot') {
    const nodes = [...shown].map((at) => {
      const path = files[at]!
      const marks = [...(hub.has(path) ? ['shape=box', 'style=bold'] : []), ...(cyclic.has(path) ? ['color=red'] : [])]
      return `  n${at} [${[`label=${quoted(path)}`, ...marks].join(', ')}];`
    })
    return [
      'digraph imports {',
      '  rankdir=LR;',
      ...nodes,
      ...edges.map(({ from, to }) => `  n${from} -> n${to};`),
      '}',
    ].join('\n')
  }
  const nodes = [...shown].map((at) => {
    const path = files[at]!.replaceAll('"', '#quot;')
    return hub.has(files[at]!) ? `  n${at}[["${path}"]]` : `  n${at}["${path}"]`
  })
  const red = [...shown].filter((at) => cyclic.has(files[at]!)).map((at) => `n${at}`)
  return [
    'graph LR',
    ...nodes,
    ...edges.map(({ from, to }) => `  n${from} --> n${to}`),
    ...(red.length > 0 ? ['  classDef cycle stroke:#c00', `  class ${red.join(',')} cycle`] : []),
  ].join('\n')
}
