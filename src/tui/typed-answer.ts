// Answers as lines: in the line mode all of them, on the screen a word and Enter. A line that only begins like an answer is none.
import type { Operation } from '../protocol/index.ts'
import { choiceKeys } from './ask-rows.ts'
import type { Controller } from './controller.ts'
import { editProposal } from './edit-proposal.ts'
import type { View } from './view.ts'

type Approval = NonNullable<View['approval']>
type Choice = Extract<Operation, { type: 'answer-error' }>['choice']

const NO = /^no?(?:[\s,:;.]+([^]*))?$/i
const DROP = /^d\s*(\d+(?:[\s,]+\d+)*)$/i
const WORD = /^(?:y|yes|a|all|e|edit|s|session|w|always)$/i

/** Takes a line as the answer to the change, the command or the error that waits; false when it is none. */
export function typedAnswer(controller: Controller, line: string): boolean {
  const { approval, errorRequest } = controller.view
  const text = line.trim()
  if (approval) return approvalAnswer(controller, approval, text)
  const said = text.toLowerCase()
  const found = choiceKeys(errorRequest?.choices ?? []).find(({ letter, choice }) => said === letter || said === choice)
  if (!errorRequest || !found) return false
  void controller.submit({ type: 'answer-error', id: errorRequest.id, choice: found.choice as Choice })
  return true
}

/** The answers there are to an approval, in a line. */
export function answersText({ actions }: Approval): string {
  const remember = [...new Set(actions.flatMap((action) => action.remember))]
  if (!actions.every((action) => action.diff))
    return `y yes, n REASON no${remember.length > 0 ? `, s this session, w always: ${remember.join(', ')}` : ''}`
  const hunks = hunksOf(actions)
  const drop = hunks > 1 ? `, d 1,${hunks} apply without these of its ${hunks} hunks` : ''
  return `y apply, n REASON reject${drop}${editable(actions) ? ', e edit' : ''}, a all of this run`
}

const hunksOf = (actions: Approval['actions']): number =>
  actions.length === 1 ? (actions[0]?.diff?.hunks.length ?? 0) : 0

const editable = (actions: Approval['actions']): boolean =>
  hunksOf(actions) > 0 && actions[0]?.diff?.change !== 'deleted'

function approvalAnswer(controller: Controller, approval: Approval, text: string): boolean {
  const { id, actions } = approval
  const answer = (said: { answer: 'yes' | 'no'; reason?: string; scope?: 'once' | 'run' | 'session' | 'workspace' }) =>
    void controller.submit({ type: 'answer-approval', id, ...said })
  const no = NO.exec(text)
  if (no) {
    const reason = no[1]?.trim() ?? ''
    answer({ answer: 'no', ...(reason === '' ? {} : { reason }) })
    return true
  }
  const drop = DROP.exec(text)
  if (drop) return dropped(controller, approval, drop[1]!)
  if (!WORD.test(text)) return false
  const edits = actions.every((action) => action.diff)
  const remembers = actions.some((action) => action.remember.length > 0)
  const letter = text.toLowerCase() === 'always' ? 'w' : text[0]!.toLowerCase()
  if (letter === 'y') answer({ answer: 'yes', scope: 'once' })
  else if (letter === 'a' && edits) answer({ answer: 'yes', scope: 'run' })
  else if (letter === 's' && !edits && remembers) answer({ answer: 'yes', scope: 'session' })
  else if (letter === 'w' && !edits && remembers) answer({ answer: 'yes', scope: 'workspace' })
  else if (letter === 'e' && editable(actions)) void editProposal(controller, id, actions[0])
  else controller.note(`"${text}" is no answer here: ${answersText(approval)}`, 'warning')
  return true
}

/** Applies a change without some of its hunks. */
function dropped(controller: Controller, approval: Approval, numbers: string): boolean {
  const hunks = hunksOf(approval.actions)
  const droppedHunks = (numbers.match(/\d+/g) ?? []).map((each) => Number(each) - 1)
  const wrong = droppedHunks.find((each) => each < 0 || each >= hunks)
  if (wrong === undefined)
    void controller.submit({ type: 'answer-approval', id: approval.id, answer: 'yes', scope: 'once', droppedHunks })
  else controller.note(`There is no hunk ${wrong + 1}: ${answersText(approval)}`, 'warning')
  return true
}
