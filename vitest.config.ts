import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests of the projects that tests work on. */
const OTHERS = ['**/node_modules/**', 'test/fixtures/**', 'src/demo/project/**']

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts', 'test/support/compile-cache.ts', 'test/support/property-seed.ts'],
    // As many files side by side as there are cores: half of the time a test waits for a process or a screen.
    maxWorkers: availableParallelism(),
    reporters: ['default'],
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html'] },
    // Bounds of what hangs, not of what is slow: a busy machine takes five times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      // Many small files: a process for each would cost as much as they do. Whoever replaces modules stands in test/.
      { extends: true, test: { name: 'units', include: ['src/**/*.test.{ts,tsx}'], exclude: OTHERS, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.{ts,tsx}'], exclude: OTHERS } },
    ],
  },
})
