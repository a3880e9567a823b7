import { expect, test } from 'vitest'
import type { ApprovalAction } from '../protocol/index.ts'
import { defaultSettings } from './default-settings.ts'
import { liveRows } from './live-rows.ts'
import type { LiveInput } from './live-rows.ts'
import { styledCells, withoutStyle } from './styled-text.ts'
import { themeOf } from './theme.ts'
import type { LargeAsk } from './large-index.ts'
import { emptyUi, newAnswer } from './ui-state.ts'
import type { Ui } from './ui-state.ts'
import { emptyView } from './view.ts'
import type { View } from './view.ts'
import fc from '../../test/support/property.ts'

const lines = (count: number, text: string): string[] => Array.from({ length: count }, (_, i) => `${text} ${i}`)

function action(rows: number, hunks: number): ApprovalAction {
  return {
    callId: 'c1',
    tool: 'edit_file',
    effect: 'write',
    title: 'edit a.ts',
    reason: 'edit_file changes files.',
    level: 'app',
    remember: [],
    diff: {
      path: 'a.ts',
      change: 'modified',
      added: rows,
      removed: 0,
      hunks: Array.from({ length: hunks }, (_, i) => ({
        oldStart: i * 100,
        oldLines: 0,
        newStart: i * 100,
        newLines: rows,
        lines: lines(rows, 'const value = "日本語" + other').map((text) => ({ kind: 'add' as const, text })),
      })),
    },
  }
}

function input(view: Partial<View>, ui: Partial<Ui>, width: number, height: number, text: string[] = []): LiveInput {
  return {
    view: { ...emptyView, model: 'mock/model', ...view },
    ui: { ...emptyUi, opening: false, ...ui },
    text,
    look: {
      width,
      theme: themeOf('dark', { LANG: 'C.UTF-8' }),
      settings: defaultSettings.edit,
      highlight: (line) => line,
    },
    height,
    now: 1_000_000,
    project: 'a-project-with-a-name',
    branch: 'a/branch/with/a/long/name',
    since: 0,
    progressBar: true,
  }
}

/** A large workspace that is narrowed to one of some folders. */
const large = (count: number, at: number): LargeAsk => {
  const folders = lines(count, 'some/folder').map((path, i) => ({ path, files: i * 999 }))
  return { question: { files: 60_000, isCounting: true, limit: 10_000, folders }, at, folders }
}

test('the live part is lower and narrower than the screen whatever waits in it', () => {
  const small = fc.nat(60)
  fc.assert(
    fc.property(
      fc.record({
        rows: small,
        hunks: fc.nat(4),
        running: fc.nat(8),
        plan: fc.nat(30),
        queue: fc.nat(20),
        text: fc.nat(9),
      }),
      fc.record({
        menu: fc.nat(30),
        picker: fc.nat(80),
        large: fc.nat(9),
        typed: fc.string({ maxLength: 400 }),
        at: fc.nat(79),
        first: fc.option(fc.nat(300), { nil: undefined }),
      }),
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 8, max: 60 }),
      (has, does, width, height) => {
        const { rows, cursor } = liveRows(
          input(
            {
              runSince: 0,
              approval: has.hunks > 0 ? { id: 'a', actions: [action(has.rows, has.hunks)] } : undefined,
              running: lines(has.running, 'call').map((id) => ({
                id,
                name: 'shell_exec',
                title: id,
                since: 0,
                output: 'x\n'.repeat(9),
              })),
              plan: lines(has.plan, 'step').map((text) => ({ text, state: 'open' as const })),
              queue: lines(has.queue, 'message'),
            },
            {
              approval: { ...newAnswer('a'), first: does.first },
              editor: { ...emptyUi.editor, text: does.typed.replaceAll(/\r/g, '\n'), cursor: 0 },
              menu:
                does.menu > 0
                  ? {
                      items: lines(does.menu, '@path').map((text) => ({ text, note: 'a note' })),
                      at: 0,
                      from: 0,
                      to: 0,
                      passive: true,
                    }
                  : undefined,
              picker:
                does.picker > 0
                  ? {
                      title: 'Sessions',
                      items: lines(does.picker, 'item').map((text) => ({ text, note: '' })),
                      at: does.at % does.picker,
                      choose: () => {},
                    }
                  : undefined,
              large: does.large > 0 ? large(does.large, does.at % does.large) : undefined,
              hint: 'a hint',
            },
            width,
            height,
            lines(has.text, 'text').map((line) => line.slice(0, width)),
          ),
        )
        expect(rows.length).toBeLessThan(height)
        for (const row of rows) expect(styledCells(row)).toBeLessThanOrEqual(width)
        expect(cursor.y).toBeLessThan(rows.length)
        expect(cursor.x).toBeLessThan(width)
      },
    ),
  )
})

test('of several changes each is under the name of its file, and a reason that all share is said once', () => {
  const of = (path: string) => {
    const one = action(2, 1)
    return { ...one, diff: { ...one.diff!, path } }
  }
  const view = { approval: { id: 'a', actions: [of('a.ts'), of('b.ts')] } }
  const shown = liveRows(input(view, { approval: newAnswer('a') }, 80, 40)).rows.map(withoutStyle)
  const places = ['  a.ts', '  b.ts'].map((path) => shown.indexOf(path))
  expect(places[0]).toBeGreaterThan(1)
  expect(places[1]).toBeGreaterThan(places[0]! + 2)
  expect(shown.filter((row) => row.includes(action(2, 1).reason))).toHaveLength(1)
})

const status = (live: LiveInput): string =>
  liveRows(live)
    .rows.map(withoutStyle)
    .find((row) => row.includes('ask'))!

test('the status row drops what matters least first, never what happens', () => {
  const view = { window: 1000, contextTokens: 120, activity: 'ready' as const }
  expect(status(input(view, {}, 200, 30))).toBe(
    'codehound · a-project-with-a-name · a/branch/with/a/long/name · ctx 12% · 16m · ready · mock/model · ask',
  )
  expect(status(input(view, {}, 60, 30))).toBe('a-project-with-a-name · ctx 12% · ready · mock/model · ask')
  expect(status(input(view, {}, 20, 30))).toBe('ready · ask')
})

test('a retry counts down, a download has a bar', () => {
  const retry = { attempt: 2, of: 5, until: 1_003_500, why: '429' }
  expect(status(input({ retry }, {}, 100, 30))).toContain('retry 2/5 in 4 s (429)')
  const progress = { label: 'pulling', done: 1_000_000_000, total: 4_000_000_000, bytes: true }
  expect(status(input({ progress }, {}, 120, 30))).toContain('pulling [#####---------------] 25 % of 4.0 GB')
  expect(status({ ...input({ progress }, {}, 120, 30), progressBar: false })).toContain('pulling 25 % of 4.0 GB')
})

test('the folders a large workspace is narrowed to stay above the prompt, the chosen one among them, whatever the height', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(8), fc.integer({ min: 10, max: 40 }), (count, at, height) => {
      const shown = liveRows(input({}, { large: large(count, at % count) }, 50, height)).rows.map(withoutStyle)
      expect(shown.length).toBeLessThan(height)
      expect(shown[0]).toBe('? Which folder is the code index to keep to?')
      expect(shown.some((row) => row.startsWith(`  > ${(at % count) + 1} some/folder`))).toBe(true)
    }),
  )
})

test('of a question with many options, its own words and the chosen option are shown whatever the height', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(59), fc.integer({ min: 10, max: 40 }), (count, at, height) => {
      const option = at % count
      const options = lines(count, 'an option with so many words that they need more than a row of this screen')
      const view = { question: { id: 'q', callId: 'c', kind: 'choice' as const, question: 'Which one?', options } }
      const shown = liveRows(input(view, { option }, 40, height)).rows.map(withoutStyle)
      expect(shown.length).toBeLessThan(height)
      expect(shown[0]).toBe('? Which one?')
      expect(shown.some((row) => row.startsWith(`  > ${option + 1} an option`))).toBe(true)
    }),
  )
})

test('the chosen option of a question is shown whole', () => {
  const options = ['left', 'right and further on to the right until nothing is left of the row']
  const view = { question: { id: 'q', callId: 'c', kind: 'choice' as const, question: 'Which one?', options } }
  const shown = liveRows(input(view, { option: 1 }, 40, 30))
    .rows.map(withoutStyle)
    .join(' ')
  expect(shown.replaceAll(/\s+/g, ' ')).toContain(options[1])
})
