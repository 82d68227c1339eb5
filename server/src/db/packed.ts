import zlib from 'node:zlib'

/** A database from a backup can hold a few kilobytes that become any number of bytes, and these are read between two requests. */
const MAX_UNPACKED = 64 * 1024 * 1024

/** A JSON document as it is stored in a column. */
export const packJson = (value: unknown): Buffer => zlib.zstdCompressSync(JSON.stringify(value))

/** The document in a column; null if it is damaged or would become too large. */
export function unpackJson(packed: Uint8Array): unknown {
  try {
    return JSON.parse(zlib.zstdDecompressSync(packed, { maxOutputLength: MAX_UNPACKED }).toString())
  } catch {
    return null
  }
}
