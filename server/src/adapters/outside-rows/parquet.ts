import fs from 'node:fs'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { AppError } from '#contracts/errors.ts'
import { openFile } from './lines.ts'

const ROWS_AT_A_TIME = 1000

/** The rows of a Parquet file as plain JSON values. Throws `path_refused` if the file cannot be read. */
export async function* readParquet(path: string): AsyncGenerator<Record<string, unknown>> {
  const handle = openFile(path)
  try {
    const { size } = fs.fstatSync(handle)
    const slice = (start: number, end = size) => bytesOf(handle, start, Math.min(end, size))
    const file = { byteLength: size, slice }
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
      for (const row of rows) yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value) ?? null]))
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('path_refused', { message: `${path} cannot be read as Parquet: ${(cause as Error).message}`, cause })
  } finally {
    fs.closeSync(handle)
  }
}

function bytesOf(handle: number, start: number, end: number): ArrayBuffer {
  const bytes = new Uint8Array(new ArrayBuffer(Math.max(end - start, 0)))
  let done = 0
  for (let read = -1; done < bytes.length && read !== 0; done += read)
    read = fs.readSync(handle, bytes, done, bytes.length - done, start + done)
  return bytes.buffer.slice(0, done)
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
