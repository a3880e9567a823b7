// The licences of the packages whose code is in the bundle, as their authors ask for with every copy.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  version: string
  license?: string
}

/** A page with name, version and licence text of each package among the bundled files. Throws for one without a licence. */
export function bundledLicences(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? [])
  const byName = Object.fromEntries(folders.map((folder) => [folder.replace(/^.*node_modules\//, ''), folder]))
  const names = Object.keys(byName).toSorted((a, b) => (a < b ? -1 : 1))
  const parts = names.map((name) => {
    const folder = byName[name]!
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const [file] = globSync('{LICEN[CS]E,licen[cs]e,COPYING}*', { cwd: folder })
    if (license === undefined || file === undefined) throw new Error(`${folder} is bundled and has no licence`)
    return `## ${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return ['# Packages that are part of this program\n', ...parts].join('\n')
}
