import fs from 'node:fs'
import { newLines, sessionLines } from '../opencode.ts'
import { decompressFile } from '../sniff.ts'
import { openSource } from './source-file.ts'
import type { SourceState } from './state.ts'

/** Lines that were converted from an agent's file. */
interface Lines {
  /** Bytes to append to the archive; null if the lines do not start with the archived bytes. */
  newBytes: Buffer | null
  fileState: Pick<SourceState, 'inode' | 'mtimeMs' | 'size' | 'originalPath'>
}

/** The new and changed rows of a session in a database. */
export function rowsOf(place: string, archived: Buffer | null): Lines {
  const { lines, changedAt } = sessionLines(place)
  return {
    newBytes: newLines(archived ?? Buffer.alloc(0), lines),
    fileState: { inode: 0, mtimeMs: changedAt, size: rowsWithoutProject(lines), originalPath: place },
  }
}

const rowsWithoutProject = (lines: ReadonlyMap<string, string>): number =>
  [...lines.keys()].filter((key) => !key.startsWith('project ')).length

/** The lines of a compressed file that come after the archived lines. */
export function linesOf(file: string, archived: Buffer | null): Lines {
  const fd = openSource(file)
  try {
    const { ino, mtimeMs, size } = fs.fstatSync(fd)
    return { newBytes: bytesAfter(decompressFile(fd), archived), fileState: { inode: ino, mtimeMs, size, originalPath: file } }
  } finally {
    fs.closeSync(fd)
  }
}

function bytesAfter(whole: Buffer, archived: Buffer | null): Buffer | null {
  if (archived === null) return whole
  return whole.subarray(0, archived.length).equals(archived) ? whole.subarray(archived.length) : null
}
