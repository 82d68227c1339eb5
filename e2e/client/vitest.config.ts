import { defineConfig } from 'vitest/config'

/** The real Claude Code against the hooks that our installer writes. One client at a time: each takes a core or more. */
export default defineConfig({
  test: {
    name: 'client',
    include: ['e2e/client/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 1,
    fileParallelism: false,
  },
})
