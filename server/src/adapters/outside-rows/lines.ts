import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, openPlain } from '#server/foreign/index.ts'

/** The position of a line in its file, in bytes, without the newline. */
export interface Place {
  offset: number
  length: number
}

export type Line = { text: string; isUtf8: boolean } & Place

const CHUNK = 1 << 20
/** No row is longer. Bytes of a row are outside of a thread's heap, so that its limit does not count them. */
const MAX_ROW = 256 * CHUNK
/** Does not follow a link, nor wait for a FIFO, that replaced the file after its check (Windows has no such flags). */
const READ_FILE = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)

/** The lines of a file of ours from a byte on, each with its position. Throws `path_refused` for a missing file. Synchronous, for workers. */
export function* readLines(file: string, from = 0): Generator<Line> {
  const handle = openFile(file)
  try {
    yield* linesIn(handle, from)
  } finally {
    fs.closeSync(handle)
  }
}

/** A row of a file of rows as text. `isListed`: the file is one JSON array, not one object per line. */
export type RowText = Line & { isListed: boolean }

/** The rows of a file of ours: its lines, or the elements of its JSON array. */
export function* readRowTexts(file: string): Generator<RowText> {
  const handle = openFile(file)
  try {
    yield* rowTextsIn(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** The rows of an opened file: its lines, or the elements of its JSON array. */
export function* rowTextsIn(handle: number): Generator<RowText> {
  const from = listStart(handle)
  if (from === null) for (const line of linesIn(handle)) yield { ...line, isListed: false }
  else for (const element of elementsIn(handle, from)) yield { ...element, isListed: true }
}

/** Where the elements of a file with one JSON array begin; null for other files. */
function listStart(handle: number): number | null {
  const head = Buffer.alloc(256)
  const text = head.toString('latin1', 0, fs.readSync(handle, head, 0, head.length, 0))
  const [opening] = /^(?:\xEF\xBB\xBF)?[ \t\r\n]*\[/.exec(text) ?? []
  return opening === undefined ? null : opening.length
}

const [QUOTE, ESCAPE, COMMA] = [0x22, 0x5c, 0x2c]
const OPENINGS: ReadonlySet<number> = new Set(Buffer.from('{['))
const CLOSINGS: ReadonlySet<number> = new Set(Buffer.from('}]'))

/** The elements of a JSON array whose first byte is at `from`, unparsed. What follows the array is an element of its own, which is not JSON. */
function* elementsIn(handle: number, from: number): Generator<Line> {
  const chunk = Buffer.allocUnsafe(CHUNK)
  let pieces: Buffer[] = []
  let [start, depth, isQuoted, isEscaped, isClosed] = [from, 0, false, false, false]
  for (let position = from; ;) {
    const read = fs.readSync(handle, chunk, 0, CHUNK, position)
    if (read === 0) break
    let taken = 0
    for (let at = 0; at < read; at += 1) {
      const byte = chunk[at]!
      if (isEscaped) isEscaped = false
      else if (isQuoted) {
        if (byte === ESCAPE) isEscaped = true
        else if (byte === QUOTE) isQuoted = false
      } else if (byte === QUOTE) isQuoted = true
      else if (OPENINGS.has(byte)) depth += 1
      else if (CLOSINGS.has(byte) && depth > 0) depth -= 1
      else if (depth === 0 && !isClosed && (byte === COMMA || CLOSINGS.has(byte))) {
        yield lineOf(Buffer.concat([...pieces, chunk.subarray(taken, at)]), start)
        isClosed = byte !== COMMA
        taken = at + 1
        start = position + taken
        pieces = []
      }
    }
    pieces.push(Buffer.from(chunk.subarray(taken, read)))
    position += read
    requireRow(position - start, start)
  }
  const rest = lineOf(Buffer.concat(pieces), start)
  yield rest
  if (!isClosed) yield { ...rest, text: '[' } // not JSON either: the list does not end, so that rows may be missing
}

/** Opens a file that the user named, by its path without links, for `use`. Throws `path_refused`. */
export async function* withOutsideFile<T>(file: string, use: (handle: number) => AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  const handle = openOutside(file)
  try {
    yield* use(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Like `readLines`, for a file that the user named, by its path without links. */
export function* readOutsideLines(file: string): Generator<Line> {
  const handle = openOutside(file)
  try {
    yield* linesIn(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** The lines of an opened file. `isUtf8`: else invalid bytes were read as U+FFFD. */
export function* linesIn(handle: number, from = 0): Generator<Line> {
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
      yield lineOf(line, at)
      at += line.length + 1
      start = end + 1
      pieces = []
    }
    if (start < read) pieces.push(Buffer.from(chunk.subarray(start, read)))
    requireRow(position - at, at)
  }
  if (pieces.length) yield lineOf(Buffer.concat(pieces), at)
}

function requireRow(length: number, offset: number): void {
  if (length > MAX_ROW)
    throw new AppError('path_refused', {
      message: `The row that begins at byte ${offset} is longer than ${MAX_ROW / CHUNK} MB.`,
      hint: 'Choose a file with one value in each line, or split this row.',
    })
}

function lineOf(line: Buffer, offset: number): Line {
  const text = line.toString('utf8')
  return { text, offset, length: line.length, isUtf8: !text.includes('\u{FFFD}') || isUtf8(line) }
}

function openFile(file: string): number {
  try {
    return fs.openSync(file, READ_FILE)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ELOOP') throw cause
    throw new AppError('path_refused', {
      message: `${file} was ${code === 'ENOENT' ? 'removed' : 'replaced by a link'} while it was being read.`,
      cause,
    })
  }
}

function openOutside(file: string): number {
  try {
    return openPlain(file)
  } catch (cause) {
    if (!(cause instanceof ForeignFileError)) throw cause
    throw new AppError('path_refused', {
      message: `Can't read it: ${cause.message}.`,
      hint: 'Start again with a file that stays as it is.',
      cause,
    })
  }
}
