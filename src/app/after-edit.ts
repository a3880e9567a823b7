// The checks after an edit as a session runs them: only in a folder the user trusts, because they run its code.
import type { AfterEdit, AfterEditOptions } from '../workspace/checks/after-edit.ts'
import { commandEnvironment } from '../workspace/process/environment.ts'
import type { Opened } from './opened.ts'

interface Circumstances extends Pick<AfterEditOptions, 'sessionId' | 'refusal'> {
  wrap: AfterEditOptions['wrap']
  /** Values that no command gets to see. */
  secrets: readonly string[]
}

/** Returns the step, loaded when it is first needed; undefined when `checks.afterEdit` is off. */
export function afterEditOf(
  { loaded, workspace, global }: Opened,
  { sessionId, wrap, secrets, refusal }: Circumstances,
): AfterEdit | undefined {
  const { afterEdit: setting } = loaded.config.checks
  if (setting === 'off' || setting.length === 0) return undefined
  const untrusted = 'they run code of this folder, which is not trusted yet (codehound config trust)'
  let step: Promise<AfterEdit> | undefined
  return async (files, signal) => {
    step ??= import('../workspace/checks/after-edit.ts').then(({ createAfterEdit }) =>
      createAfterEdit({
        workspace,
        setting,
        sessionId,
        environment: () => commandEnvironment(process.env, { secrets }),
        refusal: () => refusal() ?? (global.isTrusted(workspace.root) ? undefined : untrusted),
        ...(wrap ? { wrap } : {}),
      }),
    )
    return await (
      await step
    )(files, signal)
  }
}
