import { defineConfig } from '@playwright/test'
import { chromiumOptions } from '../support/chromium.ts'

/** They run first, so that both pages finish at about the same time. */
const LONGEST = /\/(first-model|training|axe|models|train-on-this)\.spec\.ts$/

/** Chromium of the system (its path is probed by `npm test`); two pages at once, for the machine that tests has two cores. */
export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'longest', testMatch: LONGEST },
    { name: 'others', testMatch: '*.spec.ts', testIgnore: LONGEST },
  ],
  globalSetup: '../support/forking.ts',
  workers: 2,
  fullyParallel: true, // every test has a server and a data directory of its own
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 30_000 }, // how long nothing may come, not how long a test waits: a machine at work answers late
  forbidOnly: true,
  outputDir: '../../test-results/web',
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure', // the page's content is kept beside it; `--trace on` records more, and takes a third longer
    launchOptions: chromiumOptions,
  },
})
