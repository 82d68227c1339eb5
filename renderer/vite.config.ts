import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run bashgym -- serve` listens; only `npm run dev` goes through here. */
const SERVER = 'http://127.0.0.1:8002'

const SHARED = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 40_000 }

export default defineConfig({
  root: new URL('.', import.meta.url).pathname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome108',
    cssTarget: 'chrome108',
    // The server's policy is `script-src 'self'`: nothing may be inlined as a data: script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        strictExecutionOrder: true, // files that need each other would start in the wrong order
        // What several pages share comes in a few files, not in one for each set of pages: a page asks for 19 instead of 72.
        // Libraries come first and apart, then the contracts in one file: a file that had some of them in it and was merged with
        // another could need itself to start.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, priority: 2, ...SHARED },
            { name: 'contracts', test: /\/contracts\/src\//, priority: 1 },
            { name: 'shared', ...SHARED },
          ],
        },
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]!}-[hash].js`,
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      // The server checks Host and Origin exactly; both are rewritten to its own.
      '/api': { target: SERVER, changeOrigin: true, headers: { origin: SERVER } },
      '/docs': { target: SERVER, changeOrigin: true, headers: { origin: SERVER } },
      '/ws': { target: SERVER, changeOrigin: true, ws: true, headers: { origin: SERVER } },
    },
  },
})
