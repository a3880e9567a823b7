import type { BackendSettings } from './settings.ts'

const KEY_COMMAND_TIMEOUT_MS = 15_000

/** The key of a backend: as configured, or the first line its command prints. Rejects when the command fails. */
export async function readApiKey(settings: BackendSettings): Promise<string | undefined> {
  if (settings.apiKey !== undefined && settings.apiKey !== '') return settings.apiKey
  const command = settings.apiKeyCommand
  if (command === undefined) return undefined
  const { exec } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    exec(command, { timeout: KEY_COMMAND_TIMEOUT_MS, encoding: 'utf8' }, (error, stdout) => {
      const key = stdout.split('\n')[0]?.trim() ?? ''
      // The message of exec holds what the command printed, which may be part of a secret.
      if (error !== null) reject(new Error(`api_key_command ended with ${error.code ?? error.signal ?? 'an error'}`))
      else if (key === '') reject(new Error('api_key_command printed nothing'))
      else resolve(key)
    })
  })
}
