// The import graph as one page for a browser: nothing is loaded from elsewhere, names are text and never markup.
import type { GraphReport } from '../index/answers.ts'

/** More files than this cannot be told apart, and take long to lay out: those with the most imports are drawn. */
const MOST_FILES = 400

export interface PageGraph {
  files: { path: string; needs: number[]; mark: 'hub' | 'cycle' | 'entry' | '' }[]
  /** Files that are not drawn. */
  left: number
}

/** What the page draws of a graph. */
export function pageGraph({ files, edges, hubs, cycles, entryPoints }: GraphReport): PageGraph {
  const links = files.map(() => 0)
  for (const { from, to } of edges) {
    links[from]! += 1
    links[to]! += 1
  }
  const shown = [...files.keys()]
    .sort((a, b) => links[b]! - links[a]! || a - b)
    .slice(0, MOST_FILES)
    .sort((a, b) => a - b)
  const places = new Map(shown.map((file, at) => [file, at]))
  const needs: number[][] = shown.map(() => [])
  for (const { from, to } of edges) {
    const [start, end] = [places.get(from), places.get(to)]
    if (start !== undefined && end !== undefined) needs[start]!.push(end)
  }
  const [cyclic, hub, entry] = [new Set(cycles.flat()), new Set(hubs.map(({ path }) => path)), new Set(entryPoints)]
  const markOf = (path: string): PageGraph['files'][number]['mark'] =>
    cyclic.has(path) ? 'cycle' : hub.has(path) ? 'hub' : entry.has(path) ? 'entry' : ''
  return {
    files: shown.map((file, at) => ({ path: files[file]!, needs: needs[at]!, mark: markOf(files[file]!) })),
    left: files.length - shown.length,
  }
}

/** The page. Drag moves a file, the wheel zooms, a click shows what a file imports and who imports it. */
export function graphPage(title: string, graph: PageGraph): string {
  const data = JSON.stringify(graph).replaceAll('<', '\\u003c')
  const name = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const left = graph.left === 0 ? '' : ` of ${graph.files.length + graph.left}, those with the most imports`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${name}: imports</title>
<style>
  :root { color-scheme: light dark; --ink: light-dark(#222, #ddd); --line: light-dark(#bbb, #555) }
  body { margin: 0; font: 13px system-ui; color: var(--ink); overflow: hidden }
  header, aside { position: fixed; padding: 8px; max-width: 45ch }
  aside { right: 0; top: 0; white-space: pre-wrap; max-height: 95vh; overflow: auto }
  svg { width: 100vw; height: 100vh; cursor: grab }
  line { stroke: var(--line) } line.on { stroke: #d60; stroke-width: 2 }
  text { fill: var(--ink); font-size: 9px; pointer-events: none }
  circle { fill: #789; cursor: pointer } .hub { fill: #27c } .cycle { fill: #c22 } .entry { fill: #292 } .on circle { stroke: #d60; stroke-width: 3 }
  .dim { opacity: .15 }
</style>
<header><b>${name}</b>, ${graph.files.length} files${left}<br><input id="find" placeholder="find a file"><br>
<span style="color:#27c">hub</span> <span style="color:#c22">cycle</span> <span style="color:#292">entry point</span></header>
<aside id="about"></aside>
<svg id="draw"><g id="all"></g></svg>
<script>
const { files } = ${data}
const svg = document.getElementById('draw'), all = document.getElementById('all')
const about = document.getElementById('about')
const make = (name, at, to) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(at)) made.setAttribute(key, value)
  return to.appendChild(made)
}
const users = files.map(() => [])
files.forEach(({ needs }, i) => needs.forEach((to) => users[to].push(i)))
// A circle by folder, then forces: links pull, files push, a little gravity.
const nodes = files.map((file, i) => {
  const angle = (i / files.length) * 2 * Math.PI
  return { x: 400 * Math.cos(angle), y: 400 * Math.sin(angle), dx: 0, dy: 0 }
})
for (let round = 0; round < 250; round++) {
  const heat = 1 - round / 250
  for (let i = 0; i < nodes.length; i++)
    for (let j = i + 1; j < nodes.length; j++) {
      const x = nodes[i].x - nodes[j].x, y = nodes[i].y - nodes[j].y
      const force = 1200 / (x * x + y * y + 1)
      nodes[i].dx += x * force; nodes[i].dy += y * force; nodes[j].dx -= x * force; nodes[j].dy -= y * force
    }
  files.forEach(({ needs }, i) => needs.forEach((j) => {
    const x = nodes[j].x - nodes[i].x, y = nodes[j].y - nodes[i].y
    nodes[i].dx += x * 0.03; nodes[i].dy += y * 0.03; nodes[j].dx -= x * 0.03; nodes[j].dy -= y * 0.03
  }))
  for (const node of nodes) {
    node.dx -= node.x * 0.01; node.dy -= node.y * 0.01
    const length = Math.hypot(node.dx, node.dy) || 1, step = Math.min(length, 40 * heat)
    node.x += (node.dx / length) * step; node.y += (node.dy / length) * step; node.dx = node.dy = 0
  }
}
const lines = files.flatMap(({ needs }, from) => needs.map((to) => ({ from, to, line: make('line', {}, all) })))
const groups = files.map((file, i) => {
  const group = make('g', {}, all)
  make('circle', { r: 3 + Math.sqrt(users[i].length) * 1.5, class: file.mark }, group)
  make('text', { x: 7, y: 3 }, group).textContent = file.path.split('/').pop()
  make('title', {}, group).textContent = file.path
  group.onpointerdown = (event) => { held = i; chosen = i; show(); event.stopPropagation() }
  return group
})
const reach = (key) => 40 + Math.max(...nodes.map((node) => Math.abs(node[key])))
const zoom = Math.min(1, innerWidth / 2 / reach('x'), innerHeight / 2 / reach('y'))
let view = { x: innerWidth / 2, y: innerHeight / 2, zoom }, held, chosen, from
const draw = () => {
  all.setAttribute('transform', 'translate(' + view.x + ' ' + view.y + ') scale(' + view.zoom + ')')
  groups.forEach((group, i) => group.setAttribute('transform', 'translate(' + nodes[i].x + ' ' + nodes[i].y + ')'))
  for (const { from, to, line } of lines) {
    line.setAttribute('x1', nodes[from].x); line.setAttribute('y1', nodes[from].y)
    line.setAttribute('x2', nodes[to].x); line.setAttribute('y2', nodes[to].y)
  }
}
const show = () => {
  const near = new Set(chosen === undefined ? [] : [chosen, ...files[chosen].needs, ...users[chosen]])
  groups.forEach((group, i) => group.setAttribute('class', chosen === undefined ? '' : i === chosen ? 'on' : near.has(i) ? '' : 'dim'))
  for (const { from, to, line } of lines) line.setAttribute('class', chosen === undefined ? '' : from === chosen || to === chosen ? 'on' : 'dim')
  const names = (list) => list.map((i) => '  ' + files[i].path).sort().join('\\n')
  about.textContent = chosen === undefined ? '' : files[chosen].path + '\\n\\nimports\\n' + names(files[chosen].needs) + '\\n\\nimported by\\n' + names(users[chosen])
}
svg.onpointerdown = (event) => { from = [event.clientX, event.clientY]; chosen = undefined; show() }
onpointermove = (event) => {
  if (held !== undefined) { nodes[held].x += event.movementX / view.zoom; nodes[held].y += event.movementY / view.zoom; draw() }
  else if (from) { view.x += event.movementX; view.y += event.movementY; draw() }
}
onpointerup = () => { held = from = undefined }
svg.onwheel = (event) => {
  const by = event.deltaY < 0 ? 1.15 : 1 / 1.15
  view = { x: event.clientX - (event.clientX - view.x) * by, y: event.clientY - (event.clientY - view.y) * by, zoom: view.zoom * by }
  draw(); event.preventDefault()
}
document.getElementById('find').oninput = ({ target }) => {
  const at = target.value === '' ? -1 : files.findIndex(({ path }) => path.toLowerCase().includes(target.value.toLowerCase()))
  chosen = at < 0 ? undefined : at; show()
}
draw()
</script>
`
}
