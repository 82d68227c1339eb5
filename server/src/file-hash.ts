import { createHash } from 'node:crypto'
import fs from 'node:fs'

/** SHA-256 of a file as hex, read in chunks; for workers. Throws the reason of `signal`. */
export function sha256Of(file: string, signal?: AbortSignal): string {
  const digest = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1 << 20)
  const handle = fs.openSync(file, 'r')
  try {
    for (let read = fs.readSync(handle, chunk); read > 0; read = fs.readSync(handle, chunk)) {
      signal?.throwIfAborted()
      digest.update(chunk.subarray(0, read))
    }
  } finally {
    fs.closeSync(handle)
  }
  return digest.digest('hex')
}
