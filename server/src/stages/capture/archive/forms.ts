import fs from 'node:fs'
import { newLines, sessionLines } from '../opencode.ts'
import { unpacked } from '../sniff.ts'
import { openSource } from './source-file.ts'
import type { SourceState } from './state.ts'

/** Lines made from an agent's file. */
interface Lines {
  /** What the archive lacks; null if it has something else. */
  fresh: Buffer | null
  seen: Pick<SourceState, 'inode' | 'mtimeMs' | 'size' | 'originalPath'>
}

/** Rows of a session in a database that are new or changed. */
export function rowsOf(place: string, before: Buffer | null): Lines {
  const { lines, changedAt } = sessionLines(place)
  return {
    fresh: newLines(before ?? Buffer.alloc(0), lines),
    seen: { inode: 0, mtimeMs: changedAt, size: rowsWithoutProject(lines), originalPath: place },
  }
}

const rowsWithoutProject = (lines: ReadonlyMap<string, string>): number =>
  [...lines.keys()].filter((key) => !key.startsWith('project ')).length

/** Lines of a compressed file after the archived ones. */
export function linesOf(file: string, before: Buffer | null): Lines {
  const fd = openSource(file)
  try {
    const { ino, mtimeMs, size } = fs.fstatSync(fd)
    return { fresh: freshOf(unpacked(fd), before), seen: { inode: ino, mtimeMs, size, originalPath: file } }
  } finally {
    fs.closeSync(fd)
  }
}

function freshOf(whole: Buffer, before: Buffer | null): Buffer | null {
  if (before === null) return whole
  return whole.subarray(0, before.length).equals(before) ? whole.subarray(before.length) : null
}
