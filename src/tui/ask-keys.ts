// Keys of what waits for an answer: approvals, questions, choices after an error, lists. True when the key was meant for it.
import type { Operation } from '../protocol/index.ts'
import { choiceKeys } from './ask-rows.ts'
import { isCommand } from './commands.ts'
import type { Controller } from './controller.ts'
import { emptyEditor, expanded } from './editor.ts'
import type { Pressed } from './keys.ts'
import { editProposal } from './edit-proposal.ts'
import { largeKey } from './large-index.ts'
import { typedAnswer } from './typed-answer.ts'
import { focusOf, newAnswer } from './ui-state.ts'

type Answer = Extract<Operation, { type: 'answer-approval' }>

/** Takes the key when something waits for it. */
export function askKey(controller: Controller, key: Pressed): boolean {
  switch (focusOf(controller.view, controller.ui)) {
    case 'approval':
      return approvalKey(controller, key)
    case 'reason':
      return reasonKey(controller, key)
    case 'question':
      return questionKey(controller, key)
    case 'error':
      return errorKey(controller, key)
    case 'picker':
      return pickerKey(controller, key)
    case 'large':
      return largeKey(controller, key)
    case 'prompt':
      return wordKey(controller, key)
    case 'search':
      return false
  }
}

function answer(controller: Controller, id: string, said: Omit<Answer, 'type' | 'id'>): void {
  controller.setUi({ approval: undefined })
  void controller.submit({ type: 'answer-approval', id, ...said }).then(() => controller.drawNow())
}

function approvalKey(controller: Controller, { name, text }: Pressed): boolean {
  const { approval } = controller.view
  if (!approval) return false
  const { id, actions } = approval
  const state = controller.ui.approval?.id === id ? controller.ui.approval : newAnswer(id)
  const [only] = actions
  const hunks = actions.length === 1 ? (only?.diff?.hunks.length ?? 0) : 0
  const edits = actions.every((action) => action.diff !== undefined)
  const move = (by: number): boolean => {
    const hunk = Math.min(hunks - 1, Math.max(0, state.hunk + by))
    if (hunks > 0) controller.setUi({ approval: { ...state, hunk, first: undefined } })
    return true
  }
  const { scrolled } = controller
  const last = scrolled ? scrolled.rows - scrolled.room : 0
  const scroll = (by: number): boolean => {
    // What was pressed since the last frame counts too.
    const from = state.first ?? scrolled?.first ?? 0
    if (scrolled) controller.setUi({ approval: { ...state, first: Math.min(last, Math.max(0, from + by)) } })
    return true
  }
  const page = scrolled ? Math.max(1, scrolled.room - 1) : 0
  if (name === 'page-up') return scroll(-page)
  if (name === 'page-down') return scroll(page)
  if (name === 'home') return scroll(-last)
  if (name === 'end') return scroll(last)
  // Between hunks they move there.
  if (hunks < 2 && (name === 'up' || name === 'down')) return scroll(name === 'up' ? -1 : 1)
  if (name === 'up' || name === 'left') return move(-1)
  if (name === 'down' || name === 'right') return move(1)
  if (name === 'text' && text === ' ' && hunks > 0) {
    const dropped = new Set(state.dropped)
    if (!dropped.delete(state.hunk)) dropped.add(state.hunk)
    controller.setUi({ approval: { ...state, dropped } })
    return true
  }
  if (name !== 'text') return false
  const yes = (scope: NonNullable<Answer['scope']>): void => {
    const droppedHunks = [...state.dropped].sort((a, b) => a - b)
    answer(controller, id, { answer: 'yes', scope, ...(droppedHunks.length > 0 ? { droppedHunks } : {}) })
  }
  const remembers = actions.some((action) => action.remember.length > 0)
  const answers = new Map<string, (() => void) | false>([
    ['y', () => yes('once')],
    ['a', edits && (() => yes('run'))],
    ['s', !edits && remembers && (() => yes('session'))],
    ['w', !edits && remembers && (() => yes('workspace'))],
    ['e', edits && hunks > 0 && only?.diff?.change !== 'deleted' && (() => void editProposal(controller, id, only))],
  ])
  // What follows is the reason, so there is nothing to mistake.
  if (text.toLowerCase() === 'n') {
    controller.setUi({ approval: { ...state, reason: true }, editor: emptyEditor })
    return true
  }
  const give = answers.get(text.toLowerCase())
  // Anything else begins a message or a command; a blank begins nothing.
  if (!give) return text === ' '
  controller.heldLetter.hold(text, give)
  return true
}

function reasonKey(controller: Controller, { name }: Pressed): boolean {
  const { approval } = controller.view
  if (!approval) return false
  if (name === 'esc') {
    controller.setUi({ approval: newAnswer(approval.id), editor: emptyEditor })
    return true
  }
  if (name !== 'enter') return false
  const reason = expanded(controller.ui.editor).trim()
  controller.setUi({ editor: emptyEditor })
  answer(controller, approval.id, { answer: 'no', ...(reason === '' ? {} : { reason }) })
  return true
}

/** A word and Enter answer as well as a letter. */
function wordKey(controller: Controller, { name }: Pressed): boolean {
  if (name !== 'enter' || !typedAnswer(controller, expanded(controller.ui.editor))) return false
  controller.setUi({ approval: undefined, editor: emptyEditor })
  return true
}

function questionKey(controller: Controller, { name, text }: Pressed): boolean {
  const { question } = controller.view
  if (!question) return false
  const options = question.options ?? (question.kind === 'confirm' ? ['yes', 'no'] : [])
  const give = (said: string): boolean => {
    controller.setUi({ editor: emptyEditor })
    void controller.submit({ type: 'answer-question', id: question.id, answer: said }).then(() => controller.drawNow())
    return true
  }
  const typed = expanded(controller.ui.editor)
  if (typed !== '') {
    if (name !== 'enter' || isCommand(typed) || typed.startsWith('!')) return false
    return give((/^\d+$/.test(typed.trim()) ? options[Number(typed) - 1] : undefined) ?? typed)
  }
  const { option } = controller.ui
  if (name === 'enter') return options[option] === undefined ? true : give(options[option])
  if (name === 'up' || name === 'down') {
    if (options.length > 0)
      controller.setUi({ option: (option + (name === 'up' ? options.length - 1 : 1)) % options.length })
    return true
  }
  // Of more than nine options the number may go on.
  const chosen = name === 'text' && /^\d$/.test(text) && options.length < 10 ? options[Number(text) - 1] : undefined
  if (chosen === undefined) return false
  controller.heldLetter.hold(text, () => give(chosen))
  return true
}

function errorKey(controller: Controller, { name, text }: Pressed): boolean {
  const { errorRequest } = controller.view
  if (!errorRequest || name !== 'text') return false
  const found = choiceKeys(errorRequest.choices).find(({ letter }) => letter === text.toLowerCase())
  if (!found) return false
  const { id } = errorRequest
  const choice = found.choice as Extract<Operation, { type: 'answer-error' }>['choice']
  controller.heldLetter.hold(text, () => {
    if (controller.view.errorRequest?.id === id) controller.view = { ...controller.view, errorRequest: undefined }
    void controller.submit({ type: 'answer-error', id, choice }).then(() => controller.drawNow())
  })
  return true
}

function pickerKey(controller: Controller, { name, text }: Pressed): boolean {
  const { picker } = controller.ui
  if (!picker) return false
  const move = (by: number): void => {
    const at = Math.min(picker.items.length - 1, Math.max(0, picker.at + by))
    controller.setUi({ picker: { ...picker, at } })
  }
  if (name === 'up') move(-1)
  else if (name === 'down') move(1)
  else if (name === 'page-up') move(-10)
  else if (name === 'page-down') move(10)
  else if (name === 'enter') {
    controller.setUi({ picker: undefined })
    picker.choose(picker.at)
  } else if (name === 'esc') controller.setUi({ picker: undefined })
  else if (name === 'text' && /^[1-9]$/.test(text) && Number(text) <= picker.items.length) {
    controller.setUi({ picker: undefined })
    picker.choose(Number(text) - 1)
  } else {
    // Who types on wants none of the list; nothing of it may be chosen by the Enter behind what he types.
    if (name === 'text') controller.setUi({ picker: undefined })
    return false
  }
  return true
}
