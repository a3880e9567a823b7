// What an answer is held against (`answers.check`): the files of the workspace, its index, the journal and the report.
import { basename } from 'node:path'
import { lintAnswer } from '../agent/answer-lint.ts'
import type { AnswerFinding } from '../agent/answer-lint.ts'
import type { Report } from '../protocol/index.ts'
import type { Opened } from './opened.ts'

/** The check for a session's answers. */
export function answerCheck(
  { workspace, index: lazy }: Opened,
  sessionId: string,
): (answer: string, report: Report) => Promise<AnswerFinding[]> {
  return async (answer, report) => {
    const index = await lazy.whenReady()
    const recorded = workspace.journal?.changes({ sessionId, all: true }) ?? []
    const changed = [...report.filesChanged, ...recorded.flatMap(({ files }) => files)].map(({ path }) => path)
    return await lintAnswer(answer, {
      text: async (path) => {
        const file = await workspace.readText(path)
        if (file.ok) return file.text
        const [only, ...others] = index?.files().filter((each) => basename(each) === path) ?? []
        const named = only === undefined || others.length > 0 ? undefined : await workspace.readText(only)
        return named?.ok === true ? named.text : undefined
      },
      hasName: async (name) => {
        if (!index) return undefined
        if ((await index.definitions({ name })).length > 0) return true
        return (await index.searchText({ query: name, caseSensitive: true, limit: 1 })).total > 0
      },
      changed: new Set(changed),
      tests: report.tests,
      commands: report.commands,
    })
  }
}
