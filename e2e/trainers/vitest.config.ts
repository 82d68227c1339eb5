import { defineConfig } from 'vitest/config'
import { longestFirst } from '../../vitest.longest.mjs'

const isWhole = Boolean(process.env['BASHGYM_TEST_FULL_ENV'])
export default defineConfig({
  test: {
    name: 'trainers',
    include: ['e2e/trainers/*.test.ts'],
    globalSetup: ['e2e/support/forking.ts'],
    exclude: isWhole ? [] : ['e2e/trainers/environment-whole.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2, // each test uses one core, because the models are tiny
    sequence: { sequencer: longestFirst(['package.test.ts', 'shell-rl.test.ts', 'models.test.ts', 'ray.test.ts']) },
  },
})
