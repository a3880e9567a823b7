// `codehound doctor`: is everything there that a session needs, and does it work. It asks, tries and reads; the one thing it
// changes is what it found out about a model's tool calls, which the next session starts from.
import type { LoadedConfig } from '../config/load-config.ts'
import { backendDefaults, findBackend } from '../config/backend.ts'
import { sourceOf } from '../config/explain.ts'
import { memoryBeside } from '../model/address.ts'
import { withPreset } from '../model/create-model.ts'
import { ModelError } from '../model/language-model.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { probeModel } from '../model/probe.ts'
import { textToolInstructions } from '../model/text-calls/instructions.ts'
import { ToolFormat } from '../model/tool-format.ts'
import type { FactPort } from '../model/tool-format.ts'
import { chooseWindow, tierOf } from '../model/window.ts'
import { EXIT } from '../protocol/user-error.ts'
import { modelFindings } from './doctor-model.ts'
import { doctorText } from './doctor-text.ts'
import type { Output } from './deps.ts'
import { plural } from '../lib/plural.ts'

export interface Finding {
  /** What was looked at: `config`, `backend NAME`, `model`, `window`, `tool calls`, `store`, `index`, `sandbox`. */
  check: string
  state: 'ok' | 'warning' | 'fault'
  text: string
  /** What to do about it. */
  suggestion?: string
}

export interface DoctorDeps {
  stdout: Output
  stderr: Output
  root: string
  load(): Promise<LoadedConfig>
  /** A backend of the configuration; the caller closes it. */
  openBackend(config: LoadedConfig, name: string): Promise<LanguageModel>
  formatFacts(): Promise<FactPort>
  /** Faults of the workspace's database; undefined when there is none yet. */
  checkStore(config: LoadedConfig): Promise<{ file: string; faults: string[] } | undefined>
  indexStatus(
    config: LoadedConfig,
  ): Promise<{ files: number; symbols: number; parseErrors: number; warnings: string[] }>
  sandboxStatus(config: LoadedConfig): Promise<{ active: boolean; status: string }>
  close(): Promise<void>
}

export interface DoctorRequest {
  /** `backend/model`; the configured one when absent. */
  model?: string
  json?: boolean
  /** False only looks whether servers are there, and asks no model anything. */
  probe?: boolean
}

/** A server that says nothing for so long is not there. Milliseconds. */
const LIST_TIMEOUT_MS = 5_000

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** `used`: the model in use is there, so without it nothing works. */
async function backendFinding(name: string, server: LanguageModel, used: boolean): Promise<Finding> {
  const check = `backend ${name}`
  try {
    const models = await server.list(AbortSignal.timeout(LIST_TIMEOUT_MS))
    return {
      check,
      state: 'ok',
      text: `${server.url ?? server.provider}: ${plural(models.length, 'model')}`,
    }
  } catch (thrown) {
    const suggestion = thrown instanceof ModelError ? thrown.info.suggestion : undefined
    return {
      check,
      state: used ? 'fault' : 'warning',
      text: messageOf(thrown),
      ...(suggestion === undefined ? {} : { suggestion }),
    }
  }
}

/** Findings about the model in use; `unreachable` when its server is not there. */
async function checkModel(
  config: LoadedConfig,
  request: DoctorRequest,
  deps: DoctorDeps,
): Promise<{ findings: Finding[]; unreachable: boolean }> {
  const name = request.model ?? config.config.model
  const found = findBackend(config, name)
  const settings = withPreset(found.settings)
  const server = await deps.openBackend(config, found.backend)
  try {
    const signal = new AbortController().signal
    const info = await server.info(found.model, AbortSignal.timeout(LIST_TIMEOUT_MS)).catch(() => undefined)
    const choice = chooseWindow({
      backend: found.backend,
      provider: server.provider,
      configured: settings.contextMaxTokens,
      numCtx: server.provider === 'ollama' ? settings.numCtx : undefined,
      info,
      memory: memoryBeside(server.url),
    })
    const probe = await probeModel(server, {
      model: found.model,
      window: choice.window,
      textInstructions: (tools) => textToolInstructions(tools, tierOf(choice.window)),
      signal,
      onStep: (step) => void (request.json === true || deps.stderr.write(`${step} …\n`)),
    })
    const setting = settings.toolFormat ?? backendDefaults.toolFormat
    if (probe.tools && probe.tools.native.usable + (probe.tools.xml?.usable ?? 0) > 0) {
      const facts = await deps.formatFacts()
      const format = new ToolFormat({ setting, model: name, url: server.url, info: probe.info, facts })
      format.learn(probe.tools.best, probe.tools.dialect)
    }
    return { findings: modelFindings(name, probe, choice, setting), unreachable: !probe.reachable.ok }
  } finally {
    await server.close()
  }
}

async function localFindings(config: LoadedConfig, deps: DoctorDeps): Promise<Finding[]> {
  const attempt = async (check: string, look: () => Promise<Finding>): Promise<Finding> => {
    try {
      return await look()
    } catch (thrown) {
      return { check, state: 'fault', text: messageOf(thrown) }
    }
  }
  return [
    await attempt('store', async () => {
      const store = await deps.checkStore(config)
      if (!store) return { check: 'store', state: 'ok', text: 'nothing stored for this workspace yet' }
      const [first] = store.faults
      if (first === undefined) return { check: 'store', state: 'ok', text: `${store.file} is sound` }
      const text = `${store.file} is damaged: ${first}${store.faults.length > 1 ? ` and ${store.faults.length - 1} more faults` : ''}`
      return {
        check: 'store',
        state: 'fault',
        text,
        suggestion: 'The next start saves what can be read and keeps the damaged file.',
      }
    }),
    await attempt('index', async () => {
      const { files, symbols, parseErrors, warnings } = await deps.indexStatus(config)
      const [warning] = warnings
      const errors = parseErrors === 0 ? '' : `, ${parseErrors} of them with parts that do not parse`
      const text = `${files} files, ${symbols} symbols${errors}${warning === undefined ? '' : `; ${warning}`}`
      return { check: 'index', state: warning === undefined ? 'ok' : 'warning', text }
    }),
    await attempt('sandbox', async () => {
      const { active, status } = await deps.sandboxStatus(config)
      const text = status.replace(/^sandbox: /, '')
      if (active || config.config.sandbox.mode === 'off') return { check: 'sandbox', state: 'ok', text }
      const suggestion = 'Commands run without one; mode auto needs --no-sandbox then.'
      return { check: 'sandbox', state: 'warning', text, suggestion }
    }),
  ]
}

/** Looks at everything; exit code 0 all works (warnings included), 1 something is broken, 3 the model cannot be reached. */
export async function run(request: DoctorRequest, deps: DoctorDeps): Promise<number> {
  try {
    const config = await deps.load()
    const name = request.model ?? config.config.model
    const used = findBackend(config, name).backend
    const findings: Finding[] = config.warnings.map((text) => ({ check: 'config', state: 'warning', text }))
    if (findings.length === 0) findings.push({ check: 'config', state: 'ok', text: `model ${name}` })
    for (const backend of Object.keys(config.config.backends)) {
      if (backend === used && request.probe !== false) continue
      // One that nobody configured and nobody uses is nobody's concern.
      if (backend !== used && sourceOf(config, ['backends', backend]).layer === 'default') continue
      const server = await deps.openBackend(config, backend)
      findings.push(await backendFinding(backend, server, backend === used))
      await server.close()
    }
    let unreachable = false
    if (request.probe === false) {
      unreachable = findings.some((each) => each.check === `backend ${used}` && each.state !== 'ok')
    } else {
      const model = await checkModel(config, request, deps)
      findings.push(...model.findings)
      unreachable = model.unreachable
    }
    findings.push(...(await localFindings(config, deps)))
    const exitCode = unreachable
      ? EXIT.unreachable
      : findings.some((each) => each.state === 'fault')
        ? EXIT.failed
        : EXIT.done
    deps.stdout.write(
      request.json === true ? `${JSON.stringify({ exitCode, findings }, null, 2)}\n` : doctorText(findings),
    )
    return exitCode
  } finally {
    await deps.close()
  }
}
