import { defineConfig } from 'vitest/config'

/** Tests with real agents, such as Claude Code with our hooks. They run one at a time, because each uses at least one core. */
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
