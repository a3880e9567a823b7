// The composition root: the only file that names concrete stores and providers. It opens what a session needs, in the order
// that lets the first request leave soonest, and closes all of it again.
import { randomUUID } from 'node:crypto'
import { dirname, join, relative } from 'node:path'
import { inProcessClient } from './client/client.ts'
import type { Client } from './client/client.ts'
import type { App, AppOptions } from './commands/deps.ts'
import { findBackend } from './config/backend.ts'
import { limitsFor } from './config/limits.ts'
import { configFileIn, loadConfig, userConfigFolder } from './config/load-config.ts'
import type { Config } from './config/schema.ts'
import type { LoadedConfig, PartialConfig } from './config/load-config.ts'
import { isLoopback } from './model/address.ts'
import { createModel } from './model/create-model.ts'
import type { LanguageModel } from './model/language-model.ts'
import { createPolicy } from './policy/policy.ts'
import type { Policy } from './policy/policy.ts'
import { modeRefusal } from './policy/mode.ts'
import { parseRuleText } from './policy/rules/rule.ts'
import { EXIT, UserError } from './protocol/user-error.ts'
import type { Session } from './protocol/index.ts'
import { ChatSession } from './session/chat-session.ts'
import { loadAttachments } from './session/attachments/load.ts'
import { Instructions } from './session/instructions.ts'
import { openModel } from './session/open-model.ts'
import type { CallHost, SessionParts } from './session/parts.ts'
import type { GlobalStore, SessionStore } from './session/session-store.ts'
import { cacheFolder, dataFolder, globalDatabaseFile, workspaceDatabaseFile, workspaceId } from './store/data-folder.ts'
import { existingStores } from './store/open-stores.ts'
import { openGlobalStore } from './store/sqlite/global-store.ts'
import type { Database } from './store/sqlite/database.ts'
import { createJournalStore } from './store/sqlite/journal-store.ts'
import { openSessionStore } from './store/sqlite/session-store.ts'
import { createToolRegistry } from './tools/registry.ts'
import { createToolRunner } from './tools/run-tool.ts'
import { commandFacts } from './workspace/command-facts.ts'
import { findWorkspaceRoot } from './workspace/find-root.ts'
import { openGit } from './workspace/git/git.ts'
import { createMemoryBlobStore, openBlobStore } from './workspace/journal/blob-store.ts'
import { changeHistory } from './workspace/journal/change-history.ts'
import { createBackgroundProcesses } from './workspace/process/background.ts'
import { commandEnvironment } from './workspace/process/environment.ts'
import { createSecretFileRule } from './workspace/secrets/secret-files.ts'
import { openWorkspace } from './workspace/workspace.ts'
import type { Workspace } from './workspace/workspace.ts'

interface Opened {
  options: AppOptions
  loaded: LoadedConfig
  workspace: Workspace
  store: SessionStore
  backends: Map<string, Promise<LanguageModel>>
  data: string
  global: GlobalStore
}

function flagsOf(options: AppOptions): PartialConfig {
  return {
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.script === undefined
      ? {}
      : { backends: { script: { type: 'scripted' as const } }, model: 'script/demo' }),
    ...(options.mode === undefined ? {} : { permissions: { mode: options.mode } }),
    ...(options.sandbox === false ? { sandbox: 'off' as const } : {}),
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

function makePolicy({ loaded, workspace, options }: Opened, interactive: boolean): Policy {
  const { config } = loaded
  const { commands, permissions } = config
  const { mode } = permissions
  const conditions = { sandboxed: false, noSandbox: options.sandbox === false }
  const refusal = modeRefusal(mode, conditions)
  if (refusal !== undefined) throw new UserError('usage', refusal, { exitCode: EXIT.usage })
  return createPolicy({
    root: workspace.root,
    mode,
    rules: permissions.rules.flatMap((text) => {
      const rule = parseRuleText(text)
      return rule ? [{ ...rule, level: 'app' as const }] : []
    }),
    block: commands.block,
    allow: commands.allow.map((pattern) => ({ pattern })),
    confirm: commands.confirm,
    askForUnknown: commands.askForUnknown,
    interactive,
    ...conditions,
    trusted: false,
    additionalRoots: permissions.additionalRoots,
    facts: commandFacts(workspace),
  })
}

function backendOf({ backends, loaded, options }: Opened, name: string): Promise<LanguageModel> {
  let model = backends.get(name)
  if (!model) {
    model = createModel(
      name,
      loaded.config.backends[name]!,
      options.script === undefined ? {} : { script: options.script },
    )
    if (options.offline) model = model.then(requireLocal)
    if (loaded.config.cache.agent !== 'off') model = withAnswerCache(model, loaded.config.cache)
    backends.set(name, model)
  }
  return model
}

/** Answers that are kept and reused (`cache.agent`); the file is closed with the model. */
async function withAnswerCache(
  opening: Promise<LanguageModel>,
  { agent: policy, ttl, ignoreCase }: LoadedConfig['config']['cache'],
): Promise<LanguageModel> {
  const [model, { cachedModel }, { ResponseCache }, { openResponseCache }] = await Promise.all([
    opening,
    import('./model/cached-model.ts'),
    import('./model/response-cache.ts'),
    import('./store/sqlite/response-cache.ts'),
  ])
  if (model.provider === 'scripted') return model
  const store = openResponseCache(join(cacheFolder(), 'responses.db'))
  const cached = cachedModel(model, new ResponseCache({ policy, ttlMs: ttl * 1000, ignoreCase, store }))
  return { ...cached, close: () => cached.close().finally(() => store.close()) }
}

/** `--offline`: no backend but one on this machine. */
function requireLocal(model: LanguageModel): LanguageModel {
  if (model.url === undefined || isLoopback(model.url)) return model
  throw new UserError('usage', `--offline refuses the backend ${model.backend}: ${model.url} is not on this machine.`, {
    exitCode: EXIT.usage,
    suggestion: 'Choose a local model with --model, or run without --offline.',
  })
}

/** `--offline`: no host but this machine, whatever the rules say. */
function offline(policy: Policy): Pick<Policy, 'judge' | 'judgeAddress'> {
  return {
    judgeAddress: (host, addresses) => policy.judgeAddress(host, addresses),
    judge: async (request) =>
      request.kind === 'host' && !isLoopback(`http://${request.host}`)
        ? {
            verdict: 'deny',
            level: 'app',
            rule: '--offline',
            reason: `--offline refuses ${request.host}.`,
            code: 'HOST_REFUSED',
            remember: [],
          }
        : policy.judge(request),
  }
}

function partsOf(opened: Opened, row: Session, interactive: boolean): SessionParts {
  const { loaded, workspace, data, options } = opened
  const { config } = loaded
  const policy = makePolicy(opened, interactive)
  const registry = createToolRegistry({ profile: config.tools.profile, disabled: config.tools.disabled })
  const outputFolder = join(data, 'output', row.id)
  const background = createBackgroundProcesses({ outputFolder })
  const limits = limitsFor(config.limits, interactive ? 'interactive' : 'headless')
  const instructions = new Instructions(workspace, relative(workspace.root, options.cwd))
  const git = openGit({ root: workspace.root, secretRule: createSecretFileRule() })
  const newId = (): string => randomUUID().slice(0, 8)
  const secrets = Object.values(config.backends).flatMap((backend) =>
    backend.apiKey === undefined ? [] : [backend.apiKey],
  )

  const createRunner = (host: CallHost, window: () => number) =>
    createToolRunner({
      sessionId: row.id,
      registry,
      workspace,
      index: () => undefined,
      policy: options.offline ? offline(policy) : policy,
      commands: {
        background,
        environment: () => commandEnvironment(process.env, { secrets }),
        outputFolder,
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
        onWaiting: (call, kind, facts) => host.onWaiting(call, kind, facts.batchId, facts.tool),
        afterTool: async (call) => {
          const path = call.args['path']
          return typeof path === 'string' ? instructions.forPaths([path]) : undefined
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
          project: (window) => instructions.forPrompt(window),
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
    changes: workspace.journal && changeHistory(workspace.journal, row.id, (paths) => workspace.noteChange(paths)),
    attach: (text) =>
      loadAttachments(text, {
        workspace,
        index: () => undefined,
        diff: async () => {
          const diff = await git.diff({ against: 'HEAD' })
          return diff.ok ? diff.text : diff.message
        },
        fetch: (url) => Promise.resolve(`Not loaded: ${url}. Ask for it with web_fetch.`),
        config: () => Promise.resolve(JSON.stringify({ ...config, backends: Object.keys(config.backends) }, null, 1)),
      }),
    runCommand: async (command, signal, output) => {
      const { runProcess } = await import('./workspace/process/run-process.ts')
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
    close: () => background.endAll(),
  }
}

/** The session the options name, or a new one. */
function sessionRow({ store, options, workspace, loaded }: Opened): { row: Session; resumed: boolean } {
  if (options.resume !== undefined) {
    const row = store.get(options.resume)
    if (row) return { row, resumed: true }
    throw new UserError('session_not_found', `There is no session "${options.resume}" in this workspace.`, {
      exitCode: EXIT.usage,
      suggestion: 'codehound sessions list shows them.',
    })
  }
  if (options.continue) {
    const [row] = store.list({ limit: 1 })
    if (row) return { row, resumed: true }
    throw new UserError('session_not_found', 'There is no session to continue in this workspace.', {
      exitCode: EXIT.usage,
      suggestion: 'Start one without --continue.',
    })
  }
  const row = store.create({
    title: 'New session',
    type: 'CHAT',
    workspaceId: workspaceId(workspace.root),
    root: workspace.root,
    model: loaded.config.model,
  })
  return { row, resumed: false }
}

/** The workspace with its journal: rows in the database, contents in `folder` beside it, or in memory when nothing is kept. */
function journalled(root: string, { permissions }: Config, database: Database, folder: string | undefined): Workspace {
  return openWorkspace({
    root,
    additionalRoots: permissions.additionalRoots,
    journal: {
      store: createJournalStore(database),
      blobs: folder === undefined ? createMemoryBlobStore() : openBlobStore(join(folder, 'blobs')),
    },
  })
}

/** Opens the application in the workspace around `options.cwd`. */
export async function openApp(options: AppOptions): Promise<App> {
  const { root, detectedBy } = findWorkspaceRoot(options.cwd)
  const data = dataFolder()
  const global = openGlobalStore(globalDatabaseFile(data))
  const loaded = await loadConfig({
    ...(options.config === undefined ? {} : { file: options.config }),
    workspaceRoot: root,
    isTrusted: (folder) => global.isTrusted(folder),
    flags: flagsOf(options),
    cacheFolder: cacheFolder(),
  })
  const file = options.ephemeral ? ':memory:' : workspaceDatabaseFile(data, root, loaded.config.storage.location)
  const store = openSessionStore(file)
  const opened: Opened = {
    options,
    loaded,
    workspace: journalled(root, loaded.config, store.database, options.ephemeral ? undefined : dirname(file)),
    store,
    backends: new Map(),
    data,
    global,
  }
  let session: ChatSession | undefined
  let touched = options.ephemeral === true
  // Not on the way to the first request; at the latest before the store is closed.
  const touch = (): void => {
    if (!touched) global.touchWorkspace(root, detectedBy)
    touched = true
  }
  return {
    openSession: ({ interactive }): Promise<Client> => {
      const { row, resumed } = sessionRow(opened)
      const model = options.model === undefined ? row : { ...row, model: options.model }
      // A name that means nothing is the user's mistake, not a run that failed.
      if (!interactive) findBackend(loaded, model.model)
      session = new ChatSession(opened.store, model, partsOf(opened, row, interactive))
      session.open(resumed)
      for (const text of loaded.warnings) session.events.emit({ type: 'notice', level: 'warning', text })
      setImmediate(touch)
      return Promise.resolve(inProcessClient(session))
    },
    close: async () => {
      touch()
      await session?.close()
      for (const model of opened.backends.values())
        await model.then(
          (each) => each.close(),
          () => {},
        )
      opened.store.close()
      global.close()
    },
  }
}

/** What the commands that need no model are given; nothing is opened before it is asked for. */
export function openCommandDeps(cwd: string, file: string | undefined) {
  const { root } = findWorkspaceRoot(cwd)
  const data = dataFolder()
  const openGlobal = () => Promise.resolve(openGlobalStore(globalDatabaseFile(data)))
  const load = () =>
    loadConfig({
      ...(file === undefined ? {} : { file }),
      workspaceRoot: root,
      isTrusted: (folder) => {
        const global = openGlobalStore(globalDatabaseFile(data))
        try {
          return global.isTrusted(folder)
        } finally {
          global.close()
        }
      },
      cacheFolder: cacheFolder(),
    })
  return {
    root,
    load,
    openGlobal,
    files: () => ({
      user: file ?? configFileIn(userConfigFolder()),
      workspace: configFileIn(join(root, '.codehound')),
    }),
    openHistory: async () => {
      const { config } = await load()
      const database = workspaceDatabaseFile(data, root, config.storage.location)
      const store = openSessionStore(database)
      return {
        store,
        workspace: journalled(root, config, store.database, dirname(database)),
        close: () => store.close(),
      }
    },
    openStores: async () => {
      const { config } = await load()
      return existingStores({
        data,
        root,
        location: config.storage.location,
        onNotice: (text) => void process.stderr.write(`${text}\n`),
      })
    },
  }
}
