import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  workers: 1,
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  outputDir: '../../test-results/desktop',
  use: { trace: 'retain-on-failure' },
})
