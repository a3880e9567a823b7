import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { BashOracle, hasBash, mayRun } from '../../../test/support/bash-oracle.ts'
import { disagreements, matches, readFully } from '../../../test/support/shell-agreement.ts'
import { ShellGenerator } from '../../../test/support/shell-generator.ts'
import { dynamicWord, plainWord, type Analysis } from './segment.ts'

const oracle = new BashOracle()
afterAll(() => oracle.close())

/** What bash does in these commands that was not found; those that cannot be read are not run. */
async function differences(commands: readonly string[]): Promise<{ ran: number; found: object[] }> {
  const read = commands.flatMap((command) => {
    const analysis = mayRun(command) ? readFully(command) : undefined
    return analysis ? [{ command, analysis }] : []
  })
  const results = await oracle.run(read.map(({ command }) => command))
  const found = read.flatMap(({ command, analysis }, at) => {
    const list = results[at] ? disagreements(analysis, results[at]) : []
    return list.length > 0 ? [{ command, list }] : []
  })
  return { ran: results.filter((result) => result !== undefined).length, found }
}

/** The share of test/proof/shell-fuzz.ts that is run each time. */
const SHARE = { count: 600, seed: 20_261_122 }

test.runIf(hasBash)(
  'what bash runs, writes and sets is among what was found',
  async () => {
    const generator = new ShellGenerator(SHARE.seed)
    const { ran, found } = await differences(Array.from({ length: SHARE.count }, () => generator.next()))
    expect(found).toEqual([])
    expect(ran).toBeGreaterThan(SHARE.count * 0.4)
  },
  120_000,
)

test.runIf(hasBash)(
  'what bash once read otherwise is read as bash reads it, or not at all',
  async () => {
    const file = new URL('../../../test/fixtures/shell-disagreements.json', import.meta.url)
    expect((await differences(JSON.parse(readFileSync(file, 'utf8')) as string[])).found).toEqual([])
  },
  120_000,
)

test.runIf(hasBash)(
  'the comparison notices a call, a file, a folder and a variable that were not found',
  async () => {
    const nothing: Analysis = { segments: [], problems: [], settings: [] }
    const [ran] = await oracle.run(['PATH=./bin; c1 a > o1'])
    expect(disagreements(nothing, ran!).toSorted()).toEqual(['runs ["c1","a"] in .', 'sets PATH', 'writes o1'])
    const elsewhere = { ...readFully('PATH=x; c1 a > o1')!, problems: [] }
    const moved = elsewhere.segments.map((segment) => ({ ...segment, folder: './d1' }))
    expect(disagreements({ ...elsewhere, segments: moved }, ran!).toSorted()).toEqual([
      'runs ["c1","a"] in .',
      'writes o1',
    ])
    expect(matches([plainWord('c1'), plainWord('b')], ['c1', 'a'])).toBe(false)
    expect(matches([plainWord('c1'), dynamicWord('-')], ['c1', 'a'])).toBe(false)
    expect(matches([plainWord('c1'), { ...dynamicWord(), many: true }], ['c1', 'a', 'b'])).toBe(true)
  },
  120_000,
)
