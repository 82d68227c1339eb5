import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { readLines } from '../build/lines.ts'
import { readParquet } from './parquet.ts'

type Value = { row: unknown; error: null } | { row: null; error: string }

/** Values of a JSONL or Parquet file, one after the other; a line that is no JSON has its reason. */
export async function* rowsOf(file: string): AsyncGenerator<Value> {
  if (isParquet(file)) {
    for await (const row of readParquet(file)) yield { row, error: null }
    return
  }
  for (const { text } of readLines(file)) {
    const line = text.replace(/^\u{FEFF}/u, '').trim()
    if (line === '') continue
    yield parsed(line)
  }
}

function parsed(line: string): Value {
  try {
    return { row: JSON.parse(line) as unknown, error: null }
  } catch (error) {
    return { row: null, error: `This line is no JSON (${(error as Error).message}).` }
  }
}

/** By its first bytes, which are `PAR1`; a name that says .parquet over other bytes is refused. */
function isParquet(file: string): boolean {
  const head = Buffer.alloc(4)
  const handle = fs.openSync(file, 'r')
  try {
    fs.readSync(handle, head, 0, 4, 0)
  } finally {
    fs.closeSync(handle)
  }
  const isOne = head.toString('latin1') === 'PAR1'
  if (!isOne && path.extname(file) === '.parquet')
    throw new AppError('path_refused', { message: `${file} is called .parquet but is no Parquet file.` })
  return isOne
}
