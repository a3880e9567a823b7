// How this project is installed, tested, linted and built, for level 2 of the prompt: a model that is told need not look for it,
// nor guess. Names of scripts are the repository's words, so only usual ones of a plain form are given, never what they run.
import { parseForeignJson } from '../lib/foreign-json.ts'
import { projectFiles } from '../tools/project-files.ts'
import { detectRunner, managerOf } from '../tools/test-runners.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Scripts and targets that are named, in this order. */
const USUAL = ['lint', 'typecheck', 'type-check', 'check-types', 'types', 'format', 'check', 'build', 'dev', 'start']

/** Text for the prompt; undefined when the root says nothing. */
export async function commandsForPrompt(workspace: Workspace): Promise<string | undefined> {
  const files = await projectFiles(workspace)
  const manager = managerOf(files.names)
  const scripts = files.packageJson === undefined ? [] : namesOfScripts(files.packageJson)
  const targets = new Set([...(files.makefile ?? '').matchAll(/^([\w-]+)\s*:(?!=)/gm)].map(([, name]) => name!))
  const runner = detectRunner(files)
  const commands = [
    ...(files.packageJson === undefined ? [] : [`install: ${installOf(manager, files.names)}`]),
    ...(runner === undefined ? [] : [`test: ${runner.command}`]),
    ...USUAL.flatMap((name) => {
      if (scripts.includes(name)) return [`${name}: ${manager} run ${name}`]
      return targets.has(name) ? [`${name}: make ${name}`] : []
    }),
  ]
  return commands.length === 0 ? undefined : `# Commands of this project\n${commands.join(' · ')}`
}

function installOf(manager: ReturnType<typeof managerOf>, names: readonly string[]): string {
  return manager === 'npm' && names.includes('package-lock.json') ? 'npm ci' : `${manager} install`
}

function namesOfScripts(packageJson: string): string[] {
  try {
    const { scripts } = parseForeignJson(packageJson) as { scripts?: Record<string, unknown> | null }
    return Object.keys(scripts ?? {})
  } catch {
    return []
  }
}
