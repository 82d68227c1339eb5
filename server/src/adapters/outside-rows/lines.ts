import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import { openJudgedFile } from '#server/foreign/index.ts'

/** The position of a line in its file, in bytes, without the newline. */
export interface Place {
  offset: number
  length: number
}

const CHUNK = 1 << 20

/** The lines of a file from a byte on, each with its position. Throws `path_refused` for a missing file. Synchronous, for workers. */
export function* readLines(file: string, from = 0): Generator<{ text: string } & Place> {
  const handle = openFile(file)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    let pieces: Buffer[] = [] // pieces of a long line, which are joined only once
    let at = from
    for (let position = from; ;) {
      const read = fs.readSync(handle, chunk, 0, CHUNK, position)
      if (read === 0) break
      position += read
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0 && end < read; end = chunk.indexOf(10, start)) {
        const line = pieces.length ? Buffer.concat([...pieces, chunk.subarray(start, end)]) : chunk.subarray(start, end)
        yield { text: line.toString('utf8'), offset: at, length: line.length }
        at += line.length + 1
        start = end + 1
        pieces = []
      }
      if (start < read) pieces.push(Buffer.from(chunk.subarray(start, read)))
    }
    if (pieces.length) {
      const line = Buffer.concat(pieces)
      yield { text: line.toString('utf8'), offset: at, length: line.length }
    }
  } finally {
    fs.closeSync(handle)
  }
}

/** Throws `path_refused` if the file, which was checked, is missing or a link took the place of a part of its path. */
export function openFile(file: string): number {
  try {
    return openJudgedFile(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ELOOP' && code !== 'ENOTDIR') throw cause
    throw new AppError('path_refused', {
      message: `${file} was ${code === 'ENOENT' ? 'removed' : 'replaced by a link'} while it was being read.`,
      cause,
    })
  }
}

/** Whether the bytes of a line are valid UTF-8; invalid bytes were read as U+FFFD. */
export function isUtf8Line(file: string, text: string, { offset, length }: Place): boolean {
  if (!text.includes('\u{FFFD}')) return true
  const bytes = Buffer.alloc(length)
  const handle = openFile(file)
  try {
    fs.readSync(handle, bytes, 0, length, offset)
  } finally {
    fs.closeSync(handle)
  }
  return isUtf8(bytes)
}
