// `codehound demo`: a whole run on a small bundled project in a temporary folder. The model is a script and is called one;
// everything else is real. Nothing of the user's is read or changed.
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandDeps } from './deps.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'

export const CONNECT_HELP = `Connect a model:
  local    install Ollama (https://ollama.com), then: ollama pull qwen2.5-coder:7b-instruct
           codehound run "explain this project"
  hosted   write ~/.config/codehound/config.yaml:
             backends:
               cloud: { type: openai-compatible, url: https://your-provider/v1, api_key: "\${YOUR_KEY}" }
             model: cloud/the-model
           codehound doctor tells whether it works.
`

/** The bundled project: beside this file's folder in source, in dist/ once built. */
function bundledProject(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const places = [join(here, '../demo/project'), join(here, 'demo'), join(here, '../demo')]
  const found = places.find((place) => existsSync(join(place, 'package.json')))
  if (found === undefined)
    throw new UserError(
      'internal',
      `The demo project is missing from this installation (looked in ${places.join(', ')}).`,
    )
  return found
}

/** Copies the project, plays the script, and says how to connect a real model. `keep` leaves the folder for a look. */
export async function demo({ keep }: { keep: boolean }, deps: CommandDeps): Promise<number> {
  const { DEMO_PROMPT, demoScript } = await import('../demo/script.ts')
  const { run } = await import('./run.ts')
  const { stdout } = deps
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-demo-')))
  try {
    cpSync(bundledProject(), folder, { recursive: true })
    stdout.write(
      `codehound demo. The model here is a script, not a language model; tools, diff, edit, tests and report are real.\nProject: ${folder}\n\n> ${DEMO_PROMPT}\n\n`,
    )
    const exitCode = await run(
      { text: DEMO_PROMPT, data: [] },
      {
        cwd: folder,
        output: 'text',
        narrate: true,
        mode: 'auto',
        sandbox: false,
        ephemeral: true,
        script: demoScript,
      },
      deps,
    )
    stdout.write(`\n${keep ? `The project is left in ${folder}.\n\n` : ''}${CONNECT_HELP}`)
    return exitCode === EXIT.done ? EXIT.done : exitCode
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
}
