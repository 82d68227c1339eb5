import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Files into which a command writes what it was asked for, where its user wants them. */
export const writeOutput = (file: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> =>
  pipeline(Readable.from(bytes), fs.createWriteStream(file))

export function writeText(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

/** Null: there is no such file. */
export function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export interface Lines {
  /** The complete lines that were there at the start. */
  before: string[]
  /** On the disk when it returns. */
  add(line: string): void
  close(): void
}

/** A file that grows by whole lines. Half a line, which a crash left behind, is taken away. */
export function openLines(file: string): Lines {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_APPEND, 0o644)
  const text = fs.readFileSync(fd)
  const whole = text.lastIndexOf(10) + 1
  if (whole < text.length) fs.ftruncateSync(fd, whole)
  return {
    before: text.toString('utf8', 0, whole).split('\n').filter(Boolean),
    add(line) {
      fs.writeSync(fd, `${line}\n`)
      fs.fsyncSync(fd)
    },
    close: () => fs.closeSync(fd),
  }
}
