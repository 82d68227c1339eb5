import fs from 'node:fs'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { ProxyExchange } from '#server/adapters/llm-proxy/index.ts'

const gzip = promisify(zlib.gzip)
/** Compressed size. Each request repeats the conversation before it. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Writes every model request of a run with its answer to a gzipped file, one JSON line each. Beyond `MAX_BYTES` the lines have
 * no bodies. After the first line that cannot be written, `onError` is called once and nothing more is written.
 */
export function createExchangeRecord(file: string, onError: (error: Error) => void) {
  let tail = Promise.resolve()
  let bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  let hasFailed = false
  const write = async (exchange: ProxyExchange): Promise<void> => {
    if (hasFailed) return
    const bodies = bytes < MAX_BYTES ? { request: exchange.request.toString('utf8'), answer: exchange.answer.toString('utf8') } : { request: null, answer: null } // prettier-ignore
    const line = await gzip(`${JSON.stringify({ ...exchange, ...bodies })}\n`)
    await fs.promises.appendFile(file, line, { mode: 0o600 })
    bytes += line.length
  }
  return {
    add(exchange: ProxyExchange): void {
      tail = tail
        .then(() => write(exchange))
        .catch((error: unknown) => {
          hasFailed = true
          onError(error as Error)
        })
    },
    /** Resolves when everything is written. */
    close: (): Promise<void> => tail,
  }
}
