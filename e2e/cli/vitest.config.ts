import { defineConfig } from 'vitest/config'

/** The built command line, as a script would use it: processes, exit codes, JSON. */
export default defineConfig({
  test: {
    include: ['e2e/cli/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
})
