import type { Workspace } from '../workspace/workspace.ts'
import type { ProjectFiles } from './test-runners.ts'

/** The files at the root that tell how a project is worked with. */
export async function projectFiles(workspace: Workspace): Promise<ProjectFiles> {
  const listing = await workspace.list('.', { withIgnored: true })
  const names = listing.ok ? listing.entries.map(({ path }) => path) : []
  const read = async (name: string): Promise<string | undefined> => {
    if (!names.includes(name)) return undefined
    const file = await workspace.readText(name)
    return file.ok ? file.text : undefined
  }
  return {
    names,
    packageJson: await read('package.json'),
    makefile: (await read('Makefile')) ?? (await read('makefile')),
    pyproject: await read('pyproject.toml'),
  }
}
