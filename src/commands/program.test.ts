import { expect, test, vi } from 'vitest'
import { runProgram } from './program.ts'

// Symptom: "process.cwd failed … This is a fault of codehound itself" in a folder that had been deleted.
test('in a folder that was deleted it says so', async () => {
  const written: string[] = []
  const cwd = vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw Object.assign(new Error('ENOENT: process.cwd failed'), { code: 'ENOENT', syscall: 'uv_cwd' })
  })
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const never = (): never => {
    throw new Error('nothing is opened')
  }
  const code = await runProgram(['index'], { version: '0', openApp: never, openTui: never, openCommandDeps: never })
  cwd.mockRestore()
  stderr.mockRestore()
  expect(code).toBe(2)
  expect(written.join('')).toBe(
    'error: The folder this was started in does not exist any more.\nChange to another folder and start again.\n',
  )
})
