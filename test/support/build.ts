import { execFileSync } from 'node:child_process'

/** Builds `dist/` once before the tests, because the end-to-end tests run the built program. */
export function setup(): void {
  if (process.env['CODEHOUND_SKIP_BUILD'] === '1') return
  execFileSync(process.execPath, ['script/build.mjs', '--quiet'], { stdio: 'inherit' })
}
