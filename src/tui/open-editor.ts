// The user's own editor on a scratch file. The terminal is his while it runs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Controller } from './controller.ts'
import { runWithTerminal } from './hand-over.ts'

/** Lets the user edit a text; undefined when the editor failed, which is told. */
export async function editText(controller: Controller, text: string, name: string): Promise<string | undefined> {
  const command = process.env['VISUAL'] || process.env['EDITOR'] || 'vi'
  const folder = mkdtempSync(join(tmpdir(), 'codehound-edit-'))
  const file = join(folder, name)
  let edited: string | undefined
  try {
    writeFileSync(file, text, { mode: 0o600 })
    // As git and others run it: the variable may hold options, so a shell reads it; the file is an argument of its own.
    const code = await runWithTerminal(controller, {
      command: '/bin/sh',
      args: ['-c', `${command} "$1"`, 'sh', file],
    })
    if (code === 0) edited = readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (edited === undefined)
    controller.note(`The editor "${command}" did not end well, so nothing was taken from it. Set $EDITOR.`, 'warning')
  return edited
}
