// The checks after an edit as a session runs them: only in a folder the user trusts, because they run its code.
import type { AfterEdit, AfterEditOptions } from '../workspace/checks/after-edit.ts'
import type { Confinement } from '../workspace/process/confinement.ts'
import type { Opened } from './opened.ts'

interface Circumstances extends Pick<AfterEditOptions, 'sessionId' | 'refusal'> {
  confinement: Confinement
  environment: () => Record<string, string>
}

/** Returns the step, loaded when it is first needed; undefined when `checks.afterEdit` is off. */
export function afterEditOf(
  { loaded, workspace, global }: Opened,
  { sessionId, confinement, environment, refusal }: Circumstances,
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
        environment,
        refusal: () => refusal() ?? (global.isTrusted(workspace.root) ? undefined : untrusted),
        confinement,
      }),
    )
    return await (
      await step
    )(files, signal)
  }
}
