import fs from 'node:fs'
import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors as all } from 'hyparquet-compressors'
import { AppError } from '#contracts/errors.ts'

const ROWS_AT_A_TIME = 1000
/** No page is larger when unpacked. A file names any size, and its bytes are outside of a thread's heap, so that its limit does not count them. */
const MAX_PAGE = 256 * 1024 * 1024

const compressors = Object.fromEntries(
  Object.entries(all).map(([name, unpack]): [string, typeof unpack] => [
    name,
    (input, length) => {
      if (length > MAX_PAGE) throw new Error(`it names a page of ${length} bytes; at most ${MAX_PAGE} are read`)
      return unpack(input, length)
    },
  ]),
)

/** The rows of an opened Parquet file as plain JSON values. Throws `path_refused` if it cannot be read. */
export async function* readParquet(handle: number, path: string): AsyncGenerator<Record<string, unknown>> {
  try {
    const file = bufferOf(handle)
    const metadata = await parquetMetadataAsync(file)
    const total = Number(metadata.num_rows)
    for (let start = 0; start < total; start += ROWS_AT_A_TIME) {
      const rows = await parquetReadObjects({
        file,
        metadata,
        compressors,
        rowStart: start,
        rowEnd: Math.min(total, start + ROWS_AT_A_TIME),
      })
      if (rows.length === 0) throw new Error(`it says that it has ${total} rows, but there are only ${start}`)
      for (const row of rows) yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value) ?? null]))
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('path_refused', { message: `${path} cannot be read as Parquet: ${(cause as Error).message}`, cause })
  }
}

function bufferOf(handle: number): AsyncBuffer {
  const { size } = fs.fstatSync(handle)
  return {
    byteLength: size,
    slice(start, end = size) {
      const from = start < 0 ? Math.max(0, size + start) : start
      const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - from)) // never more than the file has, whatever it says
      const read = fs.readSync(handle, bytes, 0, bytes.length, from)
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + read)
    },
  }
}

/** Converts big integers to numbers if they fit, and times to ISO text; removes null fields inside a value. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null || inner === undefined ? [] : [[key, plain(inner)]])),
  )
}
