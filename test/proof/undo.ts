// Proves undo against a plain model: after each operation the tree is read (test/support/tree.ts), and each undo, redo and rewind must
// give exactly the tree there was. Operations are edits and real commands in random batches; a share of the undos finds a change of
// somebody else and must refuse and touch nothing. With kills, processes are ended by SIGKILL in the middle of commands and undos.
// Run: node test/proof/undo.ts --count 10000 --kills 100 --seed 1
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/store/sqlite/database.ts'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { workspaceMigrations } from '../../src/store/sqlite/migrations/workspace.ts'
import { createSessionStore } from '../../src/store/sqlite/session-store.ts'
import { openBlobStore } from '../../src/workspace/journal/blob-store.ts'
import type { Undone } from '../../src/workspace/journal/journal.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { readTree } from '../support/tree.ts'
import { createDraw, createRandom, type Draw, drawCommand, drawContent, drawNew, drawPath } from './undo-moves.ts'

type Tree = Record<string, string>

export interface Proved {
  operations: number
  undos: number
  redos: number
  rewinds: number
  refused: number
  kills: number
  differences: string[]
}

/** Operations after which a new folder is begun, with git in every second one. */
const PER_FOLDER = 250
const KILLED_AFTER_MS = 120

interface Place {
  root: string
  base: string
  git: boolean
  sessionId: string
  open: () => ReturnType<typeof openWorkspace>
  sh: (command: string) => void
  tree: () => Tree
  close: () => void
}

function openPlace(git: boolean): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'undo-proof-')))
  const root = join(base, 'work')
  mkdirSync(root)
  const sh = (command: string): void => {
    execFileSync('sh', ['-c', `${command}\ntrue`], { cwd: root, stdio: 'ignore', env: { ...process.env, HOME: base } })
  }
  sh(
    'mkdir -p src/deep lib empty; echo one > src/one; echo two > src/deep/two; echo l > lib/l; ln -s src link; printf KEY=1 > .env',
  )
  if (git) sh('git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first')
  const database = openDatabase(join(base, 'workspace.db'), workspaceMigrations)
  const sessions = createSessionStore(database)
  const sessionId = sessions.create({ title: 't', type: 'CHAT', workspaceId: 'w', root, model: 'a/b' }).id
  const open: Place['open'] = () => {
    const blobs = openBlobStore(join(base, 'blobs'), join(base, 'state/journal.key'))
    return openWorkspace({
      root,
      journal: { store: createJournalStore(database), blobs },
      durable: false,
      home: '/nowhere',
    })
  }
  const close = (): void => {
    database.close()
    rmSync(base, { recursive: true })
  }
  return { root, base, git, sessionId, open, sh, tree: () => readTree(root), close }
}

const isSame = (a: Tree, b: Tree): boolean => JSON.stringify(a) === JSON.stringify(b)

function differenceOf(wanted: Tree, found: Tree): string {
  const paths = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].filter(
    (path) => wanted[path] !== found[path],
  )
  return paths
    .map((path) => `${JSON.stringify(path)}: ${wanted[path] ?? 'absent'} is ${found[path] ?? 'absent'}`)
    .join('; ')
}

/** Runs about `count` operations; what differs is told in words, with the operations before it. */
export async function proveUndo({
  count,
  seed,
  kills,
}: {
  count: number
  seed: number
  kills: number
}): Promise<Proved> {
  const proved: Proved = { operations: 0, undos: 0, redos: 0, rewinds: 0, refused: 0, kills: 0, differences: [] }
  for (let round = 0; proved.operations < count; round++) {
    const draw = createDraw(createRandom(seed * 1_000_003 + round))
    const place = openPlace(round % 2 === 1)
    try {
      await proveInPlace(
        place,
        draw,
        Math.min(PER_FOLDER, count - proved.operations),
        proved,
        `seed ${seed} round ${round}`,
      )
    } finally {
      place.close()
    }
  }
  for (let round = 0; round < kills; round++) {
    const draw = createDraw(createRandom(seed * 7_000_003 + round))
    const place = openPlace(round % 2 === 1)
    try {
      await proveKill(place, draw, proved, `seed ${seed} kill ${round}`)
    } finally {
      place.close()
    }
  }
  return proved
}

async function proveInPlace(place: Place, draw: Draw, count: number, proved: Proved, where: string): Promise<void> {
  const { sessionId, tree } = place
  const workspace = place.open()
  const journal = workspace.journal!
  let past: { before: Tree; position: number }[] = []
  let future: { after: Tree; position: number }[] = []
  const marks: { userSeq: number; position: number }[] = []
  const told: string[] = []
  const fail = (what: string, wanted: Tree, found: Tree): boolean => {
    if (isSame(wanted, found)) return false
    proved.differences.push(`${where}: ${what}: ${differenceOf(wanted, found)}\n    ${told.slice(-12).join('\n    ')}`)
    return true
  }
  /** The newest entry that can be undone. */
  const newest = (): number => journal.changes({ sessionId }).find(({ state }) => state === 'done')?.position ?? 0
  let userSeq = 0
  for (let at = 0; at < count;) {
    const before = tree()
    const dice = draw.below(20)
    if (dice < 12) {
      const known = newest()
      const { what, operations } =
        dice < 4 ? await edit(workspace, before, draw, sessionId) : await command(place, workspace, before, draw)
      told.push(what)
      at += operations
      proved.operations += operations
      const now = tree()
      const position = newest()
      if (position !== known) {
        past.push({ before, position })
        future = []
      } else if (fail(`no entry for ${what}`, before, now)) return
      continue
    }
    at += 1
    proved.operations += 1
    if (dice === 12) {
      userSeq += 1
      const position = past.at(-1)?.position ?? 0
      journal.checkpoint({ sessionId, runId: `r${userSeq}`, userSeq })
      marks.push({ userSeq, position: Math.max(position, future[0]?.position ?? 0) })
      continue
    }
    if (dice === 13 && past.length > 0) {
      // Somebody else's change of something that the last entry changed.
      const theirs = changeByHand(place, past.at(-1)!.before, before)
      if (theirs === undefined) continue
      const with_ = tree()
      const refused = journal.undo({ sessionId })
      told.push(`changed ${theirs.path} by hand, undo`)
      if (refused.ok) proved.differences.push(`${where}: undo over a change of ${theirs.path} by hand was not refused`)
      if (refused.ok || fail('a refused undo', with_, tree())) return
      theirs.back()
      proved.refused += 1
      continue
    }
    let done: Undone
    let wanted = before
    if (dice < 17) {
      const steps = 1 + draw.below(3)
      done = journal.undo({ sessionId, count: steps })
      told.push(`undo ${steps}`)
      for (const each of past.splice(-Math.min(steps, past.length)).reverse()) {
        future.push({ after: wanted, position: each.position })
        wanted = each.before
      }
      proved.undos += 1
    } else if (dice < 19) {
      const steps = 1 + draw.below(3)
      done = journal.redo({ sessionId, count: steps })
      told.push(`redo ${steps}`)
      for (const each of future.splice(-Math.min(steps, future.length)).reverse()) {
        past.push({ before: wanted, position: each.position })
        wanted = each.after
      }
      proved.redos += 1
    } else {
      if (marks.length === 0) continue
      const mark = draw.oneOf(marks)
      done = journal.rewind(sessionId, mark.userSeq)
      told.push(`rewind to ${mark.userSeq}`)
      const gone = past.filter((each) => each.position > mark.position)
      past = past.filter((each) => each.position <= mark.position)
      for (const each of gone.reverse()) {
        future.push({ after: wanted, position: each.position })
        wanted = each.before
      }
      proved.rewinds += 1
    }
    if (!done.ok && done.code !== 'NOTHING') told.push(`refused: ${done.message}`)
    if (fail(told.at(-1)!, wanted, tree())) return
  }
}

async function edit(workspace: ReturnType<typeof openWorkspace>, tree: Tree, draw: Draw, sessionId: string) {
  const kind = draw.below(4)
  if (kind === 3) {
    const from = drawPath(tree, draw, 'file')
    const file = await workspace.readText(from)
    const to = drawNew(tree, draw)
    const done = await workspace.apply(
      [
        { path: from, after: null },
        { path: to, after: file.ok ? file.text : 'x' },
      ],
      { sessionId },
    )
    return { what: `edit: move ${from} to ${to} (${done.ok})`, operations: 1 }
  }
  const path = kind === 0 ? drawNew(tree, draw) : drawPath(tree, draw, 'file')
  const after = kind === 2 ? null : drawContent(draw)
  const done = await workspace.apply([{ path, after }], { sessionId })
  return {
    what: `edit: ${path} ${after === null ? 'deleted' : JSON.stringify(after.slice(0, 20))} (${done.ok})`,
    operations: 1,
  }
}

async function command(place: Place, workspace: ReturnType<typeof openWorkspace>, tree: Tree, draw: Draw) {
  const commands = Array.from({ length: 1 + draw.below(4) }, () => drawCommand(tree, draw, place.git))
  const watch = await workspace.journal!.watchCommand({ sessionId: place.sessionId })
  place.sh(commands.join('\n'))
  await watch.finish()
  return { what: commands.join(' ⏎ '), operations: commands.length }
}

function changeByHand(place: Place, before: Tree, now: Tree): { path: string; back: () => void } | undefined {
  // That another name of the file came or went is no change of it.
  const alone = (line: string | undefined): string => (line ?? '').replace(/ = .*$/s, '')
  const path = Object.keys(now).find(
    (each) => now[each]!.startsWith('file') && !now[each]!.includes('=') && alone(now[each]) !== alone(before[each]),
  )
  if (path === undefined) return undefined
  const file = join(place.root, path)
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([bytes, Buffer.from('by hand')]))
  return { path, back: () => writeFileSync(file, bytes) }
}

/** A process that runs commands and undoes them is killed; afterwards the tree must be one that was there, and undo must go on. */
async function proveKill(place: Place, draw: Draw, proved: Proved, where: string): Promise<void> {
  const { sessionId, tree } = place
  const workspace = place.open()
  const states = [tree()]
  const told: string[] = []
  const known = (): number => workspace.journal!.changes({ sessionId }).filter(({ state }) => state === 'done').length
  while (states.length < 6) {
    const { what } =
      draw.below(4) === 0
        ? await edit(workspace, states.at(-1)!, draw, sessionId)
        : await command(place, workspace, states.at(-1)!, draw)
    if (known() < states.length) continue
    told.push(what)
    states.push(tree())
  }
  const inCommand = draw.below(2) === 0
  const scripts = Array.from({ length: 40 }, () => `${drawCommand(states.at(-1)!, draw, place.git)}\nsleep 0.005`)
  const work = inCommand ? ['command', scripts.join('\n')] : ['undo']
  const worker = join(import.meta.dirname, 'undo-worker.ts')
  const child = spawn(process.execPath, [worker, place.base, sessionId, ...work], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  await new Promise((resolve) => setTimeout(resolve, draw.below(KILLED_AFTER_MS)))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // The shell it started goes with it.
  process.kill(-child.pid!, 'SIGKILL')
  await ended
  proved.kills += 1
  const journal = place.open().journal!
  const { unclear } = await journal.recover()
  const fail = (what: string, wanted: Tree): void => {
    const found = tree()
    if (isSame(wanted, found)) return
    proved.differences.push(
      `${where}: ${what}: ${differenceOf(wanted, found)}\n    ${told.join('\n    ')}\n    ${work.join(' ')}`,
    )
  }
  if (unclear.length > 0) proved.differences.push(`${where}: unclear after a kill: ${unclear.join(', ')}`)
  const done = journal.changes({ sessionId }).filter(({ state }) => state === 'done').length
  if (!inCommand) fail(`${done} entries stand after a kill in an undo`, states[done]!)
  else {
    if (done === states.length) journal.undo({ sessionId })
    fail('undo of a command that was killed', states.at(-1)!)
  }
  const back = journal.undo({ sessionId, count: 100 })
  if (!back.ok && back.code !== 'NOTHING') proved.differences.push(`${where}: undo after a kill: ${back.message}`)
  fail('all undone after a kill', states[0]!)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: 'string' }, kills: { type: 'string' }, seed: { type: 'string' } },
  })
  const [count, kills, seed] = [Number(values.count ?? 10_000), Number(values.kills ?? 100), Number(values.seed ?? 1)]
  const { differences, ...counts } = await proveUndo({ count, kills, seed })
  for (const each of differences.slice(0, 20)) process.stdout.write(`${each}\n`)
  process.stdout.write(`undo: seed ${seed}, ${JSON.stringify(counts)}, ${differences.length} differences\n`)
  process.exitCode = differences.length === 0 ? 0 : 1
}
