import { spawn } from 'node:child_process'

/** Shows a long text in the user's pager; without one it is written as it is. */
export function showPaged(text: string): Promise<void> {
  const [program = 'less', ...args] = (process.env['PAGER'] ?? 'less').split(/\s+/)
  const env = { ...process.env, LESS: process.env['LESS'] ?? 'FRX' }
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], env })
    child.on('error', () => {
      process.stdout.write(`${text}\n`)
      resolve()
    })
    child.on('close', () => resolve())
    // Leaving the pager early closes the pipe; that is no fault.
    child.stdin.on('error', () => {})
    child.stdin.end(`${text}\n`)
  })
}
