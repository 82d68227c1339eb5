import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './vitest.longest.mjs'

/** How long nothing may come, not how long a test waits: a machine at work answers late. */
const patience = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 30_000, interval: 20 } } }

const LONGEST = [
  'change/cheats.test.ts',
  'agents/agents.test.ts',
  'shell/shell.test.ts',
  'validate/validate.test.ts',
  'checks/checks.test.ts',
  'agents/killed.test.ts',
  'docker/docker.test.ts',
  'leaks.test.ts',
  'scripts/docker-images.test.ts',
  'harbor/harbor.test.ts',
  'hand-back/hostile-repository.test.ts',
  'batches/batches.test.ts',
  'agents/foreign-places.test.ts',
  'bubblewrap/machines.test.ts',
]

/** node: contracts, server, scripts, hooks; dom: components of the renderer. e2e/ has its own configurations. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: longestFirst(LONGEST) },
    globalSetup: ['vitest.build.mjs'],
    execArgv: ['--import', new URL('vitest.threads.mjs', import.meta.url).href],
    isolate: false, // a third of the time went into loading the same modules for each file; no test changes what another one reads
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          setupFiles: ['vitest.setup.ts'],
          include: ['{contracts,server,scripts,hooks,electron}/**/*.test.ts', 'renderer/src/**/*.test.ts'],
          ...patience,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'dom',
          environment: 'happy-dom',
          setupFiles: ['vitest.setup.ts', 'vitest.dom.setup.ts'],
          include: ['renderer/src/**/*.test.tsx'],
          ...patience,
        },
      },
    ],
  },
})
