import type { IndexStep } from '../client/workbench.ts'
import type { AppOptions } from '../commands/deps.ts'
import type { LoadedConfig, PartialConfig } from '../config/load-config.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { Policy } from '../policy/policy.ts'
import type { GlobalStore, SessionStore } from '../session/session-store.ts'
import type { LargeFolderQuestion } from './large-folder.ts'
import type { LazyIndex } from './lazy-index.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What an open application holds. */
export interface Opened {
  options: AppOptions
  loaded: LoadedConfig
  workspace: Workspace
  store: SessionStore
  backends: Map<string, Promise<LanguageModel>>
  /** The data folder. */
  data: string
  global: GlobalStore
  index: LazyIndex
  /** That of the session that was opened last. */
  policy?: Policy
  large: LargeFolderQuestion
  /** Told of each step of a first build. */
  indexSteps: Set<(step: IndexStep) => void>
}

/** Configuration that the command line sets. */
export function flagsOf(options: AppOptions): PartialConfig {
  return {
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.script === undefined
      ? {}
      : { backends: { script: { type: 'scripted' as const } }, model: 'script/demo' }),
    ...(options.mode === undefined ? {} : { permissions: { mode: options.mode } }),
    ...(options.sandbox === false ? { sandbox: { mode: 'off' as const } } : {}),
    ...(options.maxTurns === undefined && options.timeoutMs === undefined
      ? {}
      : {
          limits: {
            ...(options.maxTurns === undefined ? {} : { totalTurns: options.maxTurns }),
            ...(options.timeoutMs === undefined ? {} : { wallTime: options.timeoutMs / 1000 }),
          },
        }),
  }
}
