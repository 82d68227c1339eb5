import { createHash } from 'node:crypto'
import fs from 'node:fs'

/** Of a file's bytes, hex; reads a piece at a time. For workers. */
export function sha256Of(file: string): string {
  const digest = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1 << 20)
  const handle = fs.openSync(file, 'r')
  try {
    for (let read = fs.readSync(handle, chunk); read > 0; read = fs.readSync(handle, chunk)) digest.update(chunk.subarray(0, read))
  } finally {
    fs.closeSync(handle)
  }
  return digest.digest('hex')
}
