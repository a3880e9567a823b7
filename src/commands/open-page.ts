import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes a page to a file of its own and shows it in the user's browser; `shown` is false where none could be started. */
export async function openPage(html: string): Promise<{ file: string; shown: boolean }> {
  const file = join(mkdtempSync(join(tmpdir(), 'codehound-graph-')), 'index.html')
  writeFileSync(file, html)
  const [program, ...args] = opener()
  const shown = await new Promise<boolean>((resolve) => {
    const child = spawn(program!, [...args, file], { stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
  return { file, shown }
}

/** What opens a file as a click would; `BROWSER` is the user's own choice. */
function opener(): string[] {
  const { BROWSER } = process.env
  if (BROWSER) return [BROWSER]
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['explorer'] : ['xdg-open']
}
