import fs from 'node:fs'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { ProxyExchange } from '#server/adapters/llm-proxy/index.ts'

const gzip = promisify(zlib.gzip)
/** Compressed. Each request repeats the conversation before it. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Every request of a run to its model and the answer, a line of JSON each, in a packed file. Beyond a bound the lines go on
 * without bodies. `onError` hears of the first line that cannot be written, after which none is.
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
    /** Resolves when all is written. */
    close: (): Promise<void> => tail,
  }
}
