import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes the output of a command to a file that the user named. */
export const writeOutput = (file: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> =>
  pipeline(Readable.from(bytes), fs.createWriteStream(file))

export function writeText(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

/** Null if the file does not exist. */
export function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export interface LineFile {
  /** The complete lines that the file had when it was opened. */
  existing: string[]
  /** The line is on the disk when this returns. */
  add(line: string): void
  close(): void
}

/** Opens a file for appending lines. Removes an incomplete last line that a crash left. */
export function openLineFile(file: string): LineFile {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_APPEND, 0o644)
  const text = fs.readFileSync(fd)
  const completeLength = text.lastIndexOf(10) + 1
  if (completeLength < text.length) fs.ftruncateSync(fd, completeLength)
  return {
    existing: text.toString('utf8', 0, completeLength).split('\n').filter(Boolean),
    add(line) {
      fs.writeSync(fd, `${line}\n`)
      fs.fsyncSync(fd)
    },
    close: () => fs.closeSync(fd),
  }
}
