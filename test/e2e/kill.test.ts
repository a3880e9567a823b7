// kill -9 at random points of a run: what was shown is stored, the session goes on, and no file is half-written.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configure, eventsOf, makePlace, runCli, startCli } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ServerStep } from '../support/model-server.ts'

const KILLS = 50
/** At a time: the machine has few cores. */
const SIDE_BY_SIDE = 4
const LINES = 2000

const versions = ['zero', 'one', 'two', 'three', 'four']
const content = (word: string): string => `${word} and more of it\n`.repeat(LINES)

/** Four rewrites of a large file with a read and a command between them. */
const steps: ServerStep[] = versions.slice(1).flatMap((word, i) => [
  {
    text: `Step ${i}: I rewrite the file now, in full, with the next word.`,
    calls: [{ name: 'write_file', arguments: { path: 'big.txt', content: content(word), mode: 'overwrite' } }],
  },
  {
    calls: [
      { name: 'read_file', arguments: { path: 'small.txt' } },
      { name: 'shell_exec', arguments: { command: `echo ${word} >> log.txt` } },
    ],
  },
])
const script: ServerStep[] = [
  { calls: [{ name: 'read_file', arguments: { path: 'big.txt' } }] },
  ...steps,
  { text: 'All done.' },
]

/** A point in time between the start and the end of a run, spread evenly with a seedless low-discrepancy sequence. */
const pointOf = (i: number, span: number): number => Math.round(((i * 0.618034) % 1) * span)

async function killOnce(i: number, span: number): Promise<{ events: number }> {
  const place = makePlace({ 'big.txt': content('zero'), 'small.txt': 'small\n' })
  const server = await startModelServer(script, { deltaChars: 40 })
  try {
    configure(place, server.url)
    const run = startCli(place, ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'rewrite it'])
    await new Promise((done) => setTimeout(done, pointOf(i, span)))
    try {
      process.kill(run.child.pid!, 'SIGKILL')
    } catch {
      // It had ended already.
    }
    const { stdout } = await run.ended
    const events = eventsOf(stdout)
    expect(versions.map(content)).toContain(readFileSync(join(place.folder, 'big.txt'), 'utf8'))
    const shown = events.flatMap((event) => (event.type === 'message' ? [event.message] : []))
    if (shown.length > 0) {
      const { stdout: exported } = await runCli(place, ['sessions', 'export', shown[0]!.sessionId, '--format', 'json'])
      const stored = (JSON.parse(exported) as { messages: { id: string; text: string }[] }).messages
      const texts = new Map(stored.map((message) => [message.id, message.text]))
      for (const message of shown) expect(texts.get(message.id)).toBeDefined()
      server.play([{ text: 'Going on.' }], { by: 'requests' })
      const again = await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', '--continue', 'go on'])
      expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: 'Going on.\n' })
    }
    server.assertSound()
    return { events: shown.length }
  } finally {
    await server.close()
    place.remove()
  }
}

test(
  `kill -9 at ${KILLS} points loses no message that was shown and leaves no file half-written`,
  { timeout: 300_000 },
  async () => {
    // One whole run tells how long the span to kill in is on this machine.
    const place = makePlace({ 'big.txt': content('zero'), 'small.txt': 'small\n' })
    const server = await startModelServer(script, { deltaChars: 40 })
    configure(place, server.url)
    const started = Date.now()
    const whole = await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', 'rewrite it'])
    const span = (Date.now() - started) * 1.1
    await server.close()
    place.remove()
    expect(whole.code).toBe(0)
    let shown = 0
    for (let i = 0; i < KILLS; i += SIDE_BY_SIDE) {
      const batch = Array.from({ length: Math.min(SIDE_BY_SIDE, KILLS - i) }, (_, k) => killOnce(i + k, span))
      for (const { events } of await Promise.all(batch)) shown += events
    }
    // Kills that all came before the first message would prove nothing.
    expect(shown).toBeGreaterThan(KILLS)
  },
)
