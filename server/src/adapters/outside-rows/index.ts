import { parseShallow } from '#server/shallow-json.ts'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { rowTextsIn, withOutsideFile } from './lines.ts'
import { readParquet } from './parquet.ts'

/** `line` counts from 1; in a Parquet file and a JSON array it is the number of the row. */
export type OutsideRow = { line: number } & (
  | {
      row: unknown
      error: null
      /** False if a number is kept as its text, because a double cannot hold it. */
      isExact?: boolean
    }
  | { row: null; error: string }
)

/** First bytes of files that are not JSON lines, and how to convert them. */
const OTHER_FORMATS: [bytes: readonly number[], what: string, hint: string][] = [
  [[0x1f, 0x8b], 'compressed (gzip)', 'Unpack it first: gunzip -k FILE'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed (zstd)', 'Unpack it first: unzstd FILE'],
  [[0x42, 0x5a, 0x68], 'compressed (bzip2)', 'Unpack it first: bunzip2 -k FILE'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive', 'Unpack it first: unzip FILE'],
  [[0xff, 0xfe], 'text in UTF-16', 'Convert it first: iconv -f utf-16 -t utf-8 FILE > rows.jsonl'],
  [[0xfe, 0xff], 'text in UTF-16', 'Convert it first: iconv -f utf-16 -t utf-8 FILE > rows.jsonl'],
]

/** The values of a file of JSON lines, a JSON array or a Parquet file, one by one; what is not JSON has an error instead. */
export const rowsOf = (file: string): AsyncGenerator<OutsideRow> => withOutsideFile(file, (handle) => rowsIn(handle, file))

async function* rowsIn(handle: number, file: string): AsyncGenerator<OutsideRow> {
  let line = 0
  if (isParquet(handle, file)) {
    for await (const row of readParquet(handle, file)) yield { line: (line += 1), row, error: null }
    return
  }
  for (const { text, isUtf8, isListed } of rowTextsIn(handle)) {
    line += 1
    const trimmed = text.replace(/^\u{FEFF}/u, '').trim()
    if (trimmed === '') continue
    yield !isUtf8
      ? { line, row: null, error: 'This line is not valid UTF-8. If the file is Latin-1, convert it first: iconv -f latin1 -t utf-8.' }
      : { line, ...parseLine(trimmed, isListed ? 'element' : 'line') }
  }
}

function parseLine(line: string, what: string): { row: unknown; error: null; isExact: boolean } | { row: null; error: string } {
  try {
    const { value, isExact } = parseShallow(line)
    return { row: value, error: null, isExact }
  } catch {
    return { row: null, error: `This ${what} is not valid JSON.` } // without the parser's reason, which quotes the line
  }
}

/** By the first bytes (`PAR1`). Refuses other bytes in a file with the extension .parquet, and known formats that are not text. */
function isParquet(handle: number, file: string): boolean {
  const head = headOf(handle)
  const isParquetFile = head.toString('latin1') === 'PAR1'
  if (!isParquetFile && path.extname(file) === '.parquet')
    throw new AppError('path_refused', {
      message: `${file} has the extension .parquet but is not a Parquet file. Rename it to .jsonl if it contains JSON lines, or save it as Parquet.`,
    })
  const otherFormat = OTHER_FORMATS.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))
  if (otherFormat) throw new AppError('path_refused', { message: `${file} is ${otherFormat[1]}. ${otherFormat[2]}` })
  return isParquetFile
}

function headOf(handle: number): Buffer {
  const head = Buffer.alloc(4)
  fs.readSync(handle, head, 0, head.length, 0)
  return head
}
