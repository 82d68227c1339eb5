import { createHash } from 'node:crypto'
import fs from 'node:fs'

/** SHA-256 of a file as hex, read in chunks; for workers. Throws the reason of `signal`. */
export function sha256Of(file: string, signal?: AbortSignal): string {
  const digest = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1 << 20)
  if (!fs.statSync(file).isFile()) throw new Error(`${file} is not a regular file.`) // opening a device can have effects
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK) // nobody may ever write to a FIFO
  try {
    if (!fs.fstatSync(handle).isFile()) throw new Error(`${file} was replaced while it was opened.`)
    for (let read = fs.readSync(handle, chunk); read > 0; read = fs.readSync(handle, chunk)) {
      signal?.throwIfAborted()
      digest.update(chunk.subarray(0, read))
    }
  } finally {
    fs.closeSync(handle)
  }
  return digest.digest('hex')
}
