import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** node: contracts, server, scripts, hooks; dom: components of the renderer. e2e/ has its own configurations. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    isolate: false, // a third of the time went into loading the same modules for each file; no test changes what another one reads
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          setupFiles: ['vitest.setup.ts'],
          include: ['{contracts,server,scripts,hooks,electron}/**/*.test.ts', 'renderer/src/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'dom',
          environment: 'happy-dom',
          setupFiles: ['vitest.setup.ts'],
          include: ['renderer/src/**/*.test.tsx'],
          testTimeout: 60_000,
        },
      },
    ],
  },
})
