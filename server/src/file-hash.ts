import { createHash } from 'node:crypto'
import fs from 'node:fs'

/** SHA-256 of a file as hex, read in chunks; for workers. Throws the reason of `signal`. */
export function sha256Of(file: string, signal?: AbortSignal): string {
  if (!fs.statSync(file).isFile()) throw new Error(`${file} is not a regular file.`) // opening a device can have effects
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK) // nobody may ever write to a FIFO
  try {
    if (!fs.fstatSync(handle).isFile()) throw new Error(`${file} was replaced while it was opened.`)
    return sha256OfOpened(handle, signal)
  } finally {
    fs.closeSync(handle)
  }
}

/** SHA-256 of an opened file, from its beginning. */
export function sha256OfOpened(handle: number, signal?: AbortSignal): string {
  const digest = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1 << 20)
  for (let read = fs.readSync(handle, chunk); read > 0; read = fs.readSync(handle, chunk)) {
    signal?.throwIfAborted()
    digest.update(chunk.subarray(0, read))
  }
  return digest.digest('hex')
}
