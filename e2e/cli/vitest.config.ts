import { defineConfig } from 'vitest/config'

/** Tests of the built command line as a script would use it: processes, exit codes, JSON. */
export default defineConfig({
  test: {
    include: ['e2e/cli/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
})
