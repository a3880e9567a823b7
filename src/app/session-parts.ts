// Puts the parts of a session together: policy, sandbox, tools, model, journal, attachments.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { backendDefaults } from '../config/backend.ts'
import { limitsFor } from '../config/limits.ts'
import type { Session } from '../protocol/index.ts'
import { loadAttachments } from '../session/attachments/load.ts'
import { Instructions } from '../session/instructions.ts'
import { ProjectMap } from '../session/project-map.ts'
import { openModel } from '../session/open-model.ts'
import { commandsForPrompt } from '../session/project-commands.ts'
import { skillsForPrompt } from '../session/skills.ts'
import { tellOnce } from '../session/tell-once.ts'
import type { CallHost, OpenModel, SessionParts } from '../session/parts.ts'
import { createToolRegistry } from '../tools/registry.ts'
import { createToolRunner } from '../tools/run-tool.ts'
import { protectedLines } from '../tools/protected-text.ts'
import type { CommandServices } from '../tools/tool.ts'
import { inGitWorkTree } from '../workspace/find-root.ts'
import { changeHistory } from '../workspace/journal/change-history.ts'
import { createBackgroundProcesses } from '../workspace/process/background.ts'
import { endLeftProcesses } from '../workspace/process/run-process.ts'
import { createSessionSecrets } from '../workspace/secrets/session-secrets.ts'
import { backendSecrets } from './backend-keys.ts'
import { openConfinement } from './confinement.ts'
import { afterEditOf } from './after-edit.ts'
import { answerCheck } from './answer-check.ts'
import { attachmentSources } from './attachment-sources.ts'
import { backendOf } from './backends.ts'
import { delegateOf } from './delegate.ts'
import type { OwnRunner } from './delegate.ts'
import type { Opened } from './opened.ts'
import { openHooks } from './hooks.ts'
import { toolHooks } from './tool-hooks.ts'
import { makePolicy, offline } from './policy.ts'

/** Calls of one response that run; said in the rules. */
const CALLS_PER_RESPONSE = 10

/** `warnings` are for the user, at the start. Throws UserError when the mode may not be entered. */
export async function partsOf(
  opened: Opened,
  row: Session,
  interactive: boolean,
): Promise<SessionParts & { warnings: string[] }> {
  const { loaded, workspace, data, options } = opened
  const { config } = loaded
  const outputFolder = options.ephemeral ? join(tmpdir(), `codehound-${row.id}`) : join(data, 'output', row.id)
  const confinement = await openConfinement(opened, row.id, outputFolder)
  const { sandbox, environment } = confinement
  const policy = await makePolicy(opened, interactive, sandbox)
  opened.policy = policy
  const registry = createToolRegistry({
    profile: config.tools.profile,
    disabled: config.tools.disabled,
    index: true,
    unattended: !interactive,
  })
  const background = createBackgroundProcesses({ outputFolder })
  const limits = limitsFor(config.limits, interactive ? 'interactive' : 'headless')
  const start = relative(workspace.root, options.cwd)
  const instructions = new Instructions(workspace, start)
  const map = new ProjectMap(opened.index, { tokens: config.context.mapTokens, waitMs: config.context.mapWait })
  const newId = (): string => randomUUID().slice(0, 8)
  const mask = createSessionSecrets({
    root: workspace.root,
    secretRule: (path) => workspace.secretRule(path),
    values: backendSecrets(config),
    allowNames: config.secrets.allowNames,
  })

  const hooks = openHooks(config.hooks, {
    root: workspace.root,
    sessionId: row.id,
    trusted: opened.global.isTrusted(workspace.root),
    resumed: row.messageCount > 0,
    env: environment,
    hide: (text) => mask.mask(text),
  })

  const facts = {
    platform: process.platform,
    root: workspace.root,
    shell: 'bash',
    git: inGitWorkTree(workspace.root),
    mode: interactive ? ('interactive' as const) : ('headless' as const),
    maxCallsPerResponse: CALLS_PER_RESPONSE,
    totalTurns: limits.totalTurns,
    answerStyle: config.answers.style,
  }
  const confine: CommandServices['confine'] = (place) => confinement.confine(place, () => policy.allowsNetwork())
  const afterEdit = afterEditOf(opened, {
    sessionId: row.id,
    confinement: confine('inside'),
    environment,
    refusal: () => sandbox.refusal,
  })
  const judge = options.offline ? offline(policy) : policy

  /** The call manager of one conversation: the session's, or that of a sub-agent, which has less of everything. */
  const runnerOf = (own: OwnRunner): ReturnType<typeof createToolRunner> =>
    createToolRunner({
      sessionId: row.id,
      registry: own.registry,
      workspace,
      index: () => opened.index.current(),
      openIndex: () => opened.index.open().catch(() => undefined),
      whyNoIndex: () => opened.index.whyAbsent(),
      policy: judge,
      secrets: mask,
      ...(afterEdit ? { afterEdit } : {}),
      // Hooks of git run outside of the sandbox: not where nobody is asked about the commit.
      trusted: () => policy.mode !== 'auto' && opened.global.isTrusted(workspace.root),
      commands: {
        background,
        environment,
        outputFolder,
        confine,
        sandbox: (place) => confinement.known(place, () => policy.allowsNetwork()),
        ...(config.commands.timeout === null ? {} : { timeoutMs: config.commands.timeout * 1000 }),
      },
      limits: {
        callsPerResponse: CALLS_PER_RESPONSE,
        // Read at each batch: the model may be switched.
        get maxParallelTools() {
          return own.model()?.parallelTools ?? backendDefaults.maxParallelTools
        },
        ...(config.tools.maxResultChars === undefined ? {} : { maxResultChars: config.tools.maxResultChars }),
      },
      window: () => own.model()?.window ?? 0,
      clock: Date.now,
      emit: own.emit,
      approve: (actions, signal) => own.host.approve(actions, signal),
      ask: (question, signal) => own.host.ask(question, signal),
      chooseInConflict: (message, choices, signal) => own.host.chooseInConflict(message, choices, signal),
      setPlan: (items) => own.host.setPlan(items),
      ...(own.delegate ? { delegate: own.delegate } : {}),
      hooks: toolHooks(hooks, own),
    })

  let endWarnings = (): void => {}
  const createRunner = (host: CallHost, model: () => OpenModel | undefined) => {
    const warn = (text: string): void => host.emit({ type: 'notice', level: 'warning', text })
    confinement.onProtectedChange((changes) => warn(protectedLines(changes, workspace.root).join('\n')))
    endWarnings = opened.index.onWarning((text, lasts) => {
      // What holds at each start is said at the first; /status shows it always.
      if (lasts)
        tellOnce(opened.global, `index ${workspace.root} ${text.replaceAll(/\d/g, '')}`, 'told', () => warn(text))
      else warn(text)
    })
    return runnerOf({
      host,
      model,
      registry,
      instructions,
      map,
      emit: (event) => host.emit(event),
      delegate: delegateOf({
        host,
        model,
        sessionId: row.id,
        profile: config.tools.profile,
        disabled: config.tools.disabled,
        facts,
        turns: limits.totalTurns,
        newInstructions: () => new Instructions(workspace, start),
        runnerOf,
        newId,
      }),
    })
  }

  return {
    interactive,
    saveInput: config.session.saveInputHistory,
    openModel: async (name, host, signal) => {
      const model = await openModel(
        name,
        {
          loaded,
          backend: (backend) => backendOf(opened, backend),
          registry,
          facts,
          formatFacts: opened.global,
          project: async (window) => {
            const parts = await Promise.all([
              instructions.forPrompt(window),
              skillsForPrompt(workspace, window),
              commandsForPrompt(workspace),
              map.forPrompt(window),
            ])
            const text = parts.filter((part) => part !== undefined).join('\n\n')
            return text === '' ? undefined : mask.mask(text)
          },
          interactive,
        },
        host,
        signal,
      )
      void registry.preload()
      return model
    },
    createRunner,
    loopMode: config.loop.mode,
    titles: config.session.titles,
    answerLimits: { chars: config.limits.answerChars, ms: config.limits.answerTime * 1000 },
    limits: (turns) => (turns === undefined ? limits : { ...limits, totalTurns: turns }),
    policy: {
      mode: () => policy.mode,
      setMode: (mode) => policy.setMode(mode),
      remember: (rules, scope) => policy.approve({ remember: rules }, scope),
      runEnded: () => policy.endRun(),
    },
    hooks,
    changes: workspace.journal && changeHistory(workspace.journal, row.id, (paths) => workspace.noteChange(paths)),
    secrets: mask,
    attach: async (text) => {
      map.hear(text)
      const found = await loadAttachments(text, attachmentSources(opened, judge, interactive, mask))
      return { ...found, data: found.data.map((each) => mask.mask(each)) }
    },
    runCommand: async (command, signal, output) => {
      const { runProcess } = await import('../workspace/process/run-process.ts')
      const result = await runProcess({
        command,
        cwd: workspace.root,
        env: environment(),
        signal,
        onOutput: output,
        hide: mask.stream,
      })
      // It was the user's own.
      confinement.guard.accept()
      // The user has seen it all; the model reads it with the next message.
      return { exitCode: result.exitCode, text: mask.mask(`${result.stdout.text}${result.stderr.text}`) }
    },
    checkAnswer: config.answers.check ? answerCheck(opened, row.id) : undefined,
    // Where it was asked for and is missing; `off` was the user's own word.
    warnings:
      sandbox.active || config.sandbox.mode === 'off'
        ? []
        : [`${sandbox.status}. Commands run unconfined, so more of them are asked about.`],
    onError: () => {},
    now: Date.now,
    newId,
    close: async () => {
      endWarnings()
      map.busy()
      await background.endAll()
      endLeftProcesses(row.id)
      confinement.close()
      if (options.ephemeral) rmSync(outputFolder, { recursive: true, force: true })
    },
  }
}
