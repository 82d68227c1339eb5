import { defineConfig } from 'vitest/config'

/** The Python package beside the TypeScript that has to agree with it, in the interpreter that the probe found. */
const isWhole = Boolean(process.env['BASHGYM_TEST_FULL_ENV'])
export default defineConfig({
  test: {
    name: 'trainers',
    include: ['e2e/trainers/*.test.ts'],
    exclude: isWhole ? [] : ['e2e/trainers/environment-whole.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 2, // a tiny model has no work for more than one core
  },
})
