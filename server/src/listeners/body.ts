import type { IncomingMessage } from 'node:http'
import { MAX_BODY } from './limits.ts'

/** The body is longer than the limit. */
export class TooLong extends Error {}

/**
 * Reads a body. Throws `TooLong` as soon as it is longer than `limit`, so that the answer does not wait for the rest, which is
 * dropped as it arrives; rejects if the sender disconnects or `signal` aborts.
 */
export async function readBody(
  request: IncomingMessage,
  { limit = MAX_BODY, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<Buffer> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let bytes = 0
  if (Number(request.headers['content-length'] ?? 0) > limit) reject(new TooLong())
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= limit) chunks.push(chunk)
    else {
      chunks.length = 0
      reject(new TooLong())
    }
  })
  request.once('end', () => resolve(Buffer.concat(chunks)))
  request.once('close', () => reject(new Error('The request was aborted.')))
  signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  return promise
}
