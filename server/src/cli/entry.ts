import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { loadConfig } from '#server/config.ts'
import { productInfo } from '#server/product.ts'
import { Interrupted } from './command.ts'
import { restore, serve } from './commands/serve.ts'
import { connect } from './in-process.ts'
import { runCli } from './run.ts'

const stopping = new AbortController()
const isServe = process.argv[2] === 'serve' // it handles signals itself
if (!isServe) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Interrupted(signal)))
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0) // the reader, such as `head`, closed the pipe
  process.stderr.write(`Couldn't write the result: ${error.message}\n`)
  process.exit(1)
})

/** Imported only when a command needs it, because loading the whole server takes most of a second. */
const offline = () => import('#server/offline.ts')
process.exitCode = await runCli(
  process.argv.slice(2),
  {
    version: productInfo().version,
    connect,
    dataDirOf: (dataDir) => path.resolve(loadConfig({ dataDir }).dataDir),
    serve,
    restore,
    scoreFile: async (file, policy) => (await offline()).scoreFile(file, policy),
    redactText: async (text, strategy) => (await offline()).redactText(text, strategy),
    computeStatistics: async (...args) => (await offline()).computeStatistics(...args),
    bytes: { read: () => buffer(process.stdin), write: (bytes) => void process.stdout.write(bytes) },
    hooksOnFile: async (...args) => (await offline()).hooksOnFile(...args),
    modOnFile: async (...args) => (await offline()).modOnFile(...args),
    sandboxes: {
      worker: async (...streams) => (await import('#server/adapters/sandbox/worker.ts')).serveSandbox(...streams),
      listen: async (options) => (await import('#server/serve-sandboxes.ts')).serveSandboxes(options),
    },
    openenv: { readToolCall: async (...args) => (await offline()).readToolCall(...args) },
    browse: async (place) => (await import('#server/adapters/tools/browse.ts')).browse(place, loadConfig().programs),
    ask: async (...question) => (await import('./ask.ts')).ask(...question),
  },
  { out: (text) => void process.stdout.write(text), note: (text) => void process.stderr.write(text) },
  stopping.signal,
)
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit()
