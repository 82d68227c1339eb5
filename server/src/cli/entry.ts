import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { serveSandbox } from '#server/adapters/bubblewrap/worker.ts'
import { browse } from '#server/adapters/tools/browse.ts'
import { loadConfig } from '#server/config.ts'
import { hooksOnFile, redactText, scoreFile } from '#server/offline.ts'
import { productInfo } from '#server/product.ts'
import { restore, serve } from './commands/serve.ts'
import { connect } from './in-process.ts'
import { runCli } from './run.ts'

const stopping = new AbortController()
const isServe = process.argv[2] === 'serve' // it has its own way with signals
if (!isServe) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1)) // `| head` has seen enough

process.exitCode = await runCli(
  process.argv.slice(2),
  {
    version: productInfo().version,
    connect,
    homeOf: (home) => path.resolve(loadConfig({ home }).home),
    serve,
    restore,
    scoreFile,
    redactText,
    bytes: { read: () => buffer(process.stdin), write: (bytes) => void process.stdout.write(bytes) },
    hooksOnFile,
    serveSandbox,
    browse,
  },
  { out: (text) => void process.stdout.write(text), note: (text) => void process.stderr.write(text) },
  stopping.signal,
)
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit()
