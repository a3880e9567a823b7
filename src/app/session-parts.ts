// Puts the parts of a session together: policy, sandbox, tools, model, journal, attachments.
import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { limitsFor } from '../config/limits.ts'
import type { Session } from '../protocol/index.ts'
import { loadAttachments } from '../session/attachments/load.ts'
import { Instructions } from '../session/instructions.ts'
import { ProjectMap } from '../session/project-map.ts'
import { openModel } from '../session/open-model.ts'
import type { CallHost, SessionParts } from '../session/parts.ts'
import { cacheFolder } from '../store/data-folder.ts'
import { createToolRegistry } from '../tools/registry.ts'
import { createToolRunner } from '../tools/run-tool.ts'
import { openGit } from '../workspace/git/git.ts'
import { changeHistory } from '../workspace/journal/change-history.ts'
import { createBackgroundProcesses } from '../workspace/process/background.ts'
import { endLeftProcesses } from '../workspace/process/run-process.ts'
import { commandEnvironment } from '../workspace/process/environment.ts'
import { openSandbox } from '../workspace/sandbox/sandbox.ts'
import { createSecretFileRule } from '../workspace/secrets/secret-files.ts'
import { backendOf } from './backends.ts'
import type { Opened } from './opened.ts'
import { openHooks } from './hooks.ts'
import { makePolicy, offline } from './policy.ts'

/** Throws UserError when the mode may not be entered. */
export async function partsOf(opened: Opened, row: Session, interactive: boolean): Promise<SessionParts> {
  const { loaded, workspace, data, options } = opened
  const { config } = loaded
  const secretRule = createSecretFileRule()
  const outputFolder = join(data, 'output', row.id)
  const sandbox = await openSandbox({
    setting: config.sandbox,
    root: workspace.root,
    additionalRoots: workspace.additionalRoots,
    home: homedir(),
    temp: join(outputFolder, 'tmp'),
    isSecret: (path) => secretRule(path) !== null,
    privateFolders: [data],
    cacheFile: join(cacheFolder(), 'sandbox'),
  })
  const policy = await makePolicy(opened, interactive, sandbox)
  const registry = createToolRegistry({ profile: config.tools.profile, disabled: config.tools.disabled, index: true })
  const background = createBackgroundProcesses({ outputFolder })
  const limits = limitsFor(config.limits, interactive ? 'interactive' : 'headless')
  const instructions = new Instructions(workspace, relative(workspace.root, options.cwd))
  const map = new ProjectMap(() => opened.index.open(), {
    tokens: config.context.mapTokens,
    waitMs: config.context.mapWait,
  })
  const git = openGit({ root: workspace.root, secretRule })
  const newId = (): string => randomUUID().slice(0, 8)
  const secrets = Object.values(config.backends).flatMap((backend) =>
    backend.apiKey === undefined ? [] : [backend.apiKey],
  )

  const hooks = openHooks(config.hooks, {
    root: workspace.root,
    sessionId: row.id,
    trusted: opened.global.isTrusted(workspace.root),
    resumed: row.messageCount > 0,
    env: () => commandEnvironment(process.env, { secrets }),
  })

  const createRunner = (host: CallHost, window: () => number) =>
    createToolRunner({
      sessionId: row.id,
      registry,
      workspace,
      index: () => opened.index.current(),
      policy: options.offline ? offline(policy) : policy,
      commands: {
        background,
        environment: () => commandEnvironment(process.env, { secrets }),
        outputFolder,
        ...(sandbox.active
          ? { wrap: (argv, run) => sandbox.wrap(argv, { ...run, network: policy.allowsNetwork() }) }
          : {}),
        ...(config.commands.timeout === null ? {} : { timeoutMs: config.commands.timeout * 1000 }),
      },
      limits: config.tools.maxResultChars === undefined ? {} : { maxResultChars: config.tools.maxResultChars },
      window,
      clock: Date.now,
      emit: (event) => host.emit(event),
      approve: (actions, signal) => host.approve(actions, signal),
      ask: (question, signal) => host.ask(question, signal),
      setPlan: (items) => host.setPlan(items),
      hooks: {
        onWaiting: (call, kind, facts) => {
          hooks?.notify(`${facts.title}: waiting for your ${kind === 'approval' ? 'approval' : 'answer'}`)
          return host.onWaiting(call, kind, facts.batchId, facts.tool)
        },
        beforeTool: async (call, facts) => {
          const said = await hooks?.beforeTool(facts.tool, call.args)
          for (const text of said?.problems ?? []) host.emit({ type: 'notice', level: 'warning', text })
          return said?.block
        },
        afterTool: async (call, result, facts) => {
          const said = await hooks?.afterTool(facts.tool, call.args, result.text)
          for (const text of said?.problems ?? []) host.emit({ type: 'notice', level: 'warning', text })
          const path = call.args['path']
          const found = await Promise.all([
            typeof path === 'string' ? instructions.forPaths([path]) : undefined,
            map.forResult(),
          ])
          const text = [said?.block, ...(said?.context ?? []), ...found]
            .filter((part) => part !== undefined)
            .join('\n\n')
          return text === '' ? undefined : text
        },
        onResult: (call, result, facts) =>
          host.onResult(call, result, {
            batchId: facts.batchId,
            tool: facts.tool,
            reads: facts.effect === 'read' || facts.effect === 'network',
          }),
      },
    })

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
          facts: {
            platform: process.platform,
            root: workspace.root,
            shell: 'bash',
            git: true,
            mode: interactive ? 'interactive' : 'headless',
            maxCallsPerResponse: 10,
            totalTurns: limits.totalTurns,
            answerStyle: config.answers.style,
          },
          formatFacts: opened.global,
          project: async (window) => {
            const parts = await Promise.all([instructions.forPrompt(window), map.forPrompt(window)])
            const text = parts.filter((part) => part !== undefined).join('\n\n')
            return text === '' ? undefined : text
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
    limits: (turns) => (turns === undefined ? limits : { ...limits, totalTurns: turns }),
    policy: {
      mode: () => policy.mode,
      setMode: (mode) => policy.setMode(mode),
      remember: (rules, scope) => policy.approve({ remember: rules }, scope),
      runEnded: () => policy.endRun(),
    },
    hooks,
    changes: workspace.journal && changeHistory(workspace.journal, row.id, (paths) => workspace.noteChange(paths)),
    attach: (text) => {
      map.hear(text)
      return loadAttachments(text, {
        workspace,
        index: () => opened.index.current(),
        diff: async () => {
          const diff = await git.diff({ against: 'HEAD' })
          return diff.ok ? diff.text : diff.message
        },
        fetch: (url) => Promise.resolve(`Not loaded: ${url}. Ask for it with web_fetch.`),
        config: () => Promise.resolve(JSON.stringify({ ...config, backends: Object.keys(config.backends) }, null, 1)),
      })
    },
    runCommand: async (command, signal, output) => {
      const { runProcess } = await import('../workspace/process/run-process.ts')
      const result = await runProcess({
        command,
        cwd: workspace.root,
        env: commandEnvironment(process.env, { secrets }),
        signal,
        onOutput: output,
      })
      return { exitCode: result.exitCode, text: `${result.stdout.text}${result.stderr.text}` }
    },
    onError: () => {},
    now: Date.now,
    newId,
    close: async () => {
      await background.endAll()
      endLeftProcesses(row.id)
    },
  }
}
