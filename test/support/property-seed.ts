import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** 32 bits, of which property tests draw their values; undefined for values that nobody chose. */
    propertySeed: number | undefined
  }
}

/** The tests that are run in CI can be run again: see property.ts. */
export function setup(project: TestProject): void {
  project.provide('propertySeed', process.env['CI'] ? treeSeed() : undefined)
}

function treeSeed(): number | undefined {
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number.parseInt(tree.slice(0, 8), 16) | 0
  } catch {
    // Sources without their repository.
    return undefined
  }
}
