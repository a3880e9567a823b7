// E at a change that waits: the proposed text in the user's editor.
import type { ApprovalAction } from '../protocol/index.ts'
import type { Controller } from './controller.ts'
import { editText } from './open-editor.ts'

/** The proposed text in the user's editor; what he saves is applied in its place. */
export async function editProposal(
  controller: Controller,
  id: string,
  action: ApprovalAction | undefined,
): Promise<void> {
  if (!action?.diff) return
  const proposed = await controller.bench?.proposedText(action.diff)
  if (proposed === undefined) {
    controller.note('The file has changed since this was proposed, so it cannot be edited: answer Y or N.', 'warning')
    return
  }
  const name = action.diff.path.split('/').at(-1) ?? 'text'
  const edited = await editText(controller, proposed, name)
  if (edited === undefined) return
  if (edited !== proposed) {
    controller.setUi({ approval: undefined })
    await controller.submit({ type: 'answer-approval', id, answer: 'yes', scope: 'once', editedText: edited })
    return controller.drawNow()
  }
  controller.note('Nothing was changed in the editor. Y applies it as proposed.')
}
