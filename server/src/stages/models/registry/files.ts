import fs from 'node:fs'
import path from 'node:path'

/** State of an artifact's file when it was last read. `modified` in ms. */
export interface RecordedFile {
  name: string
  bytes: number
  modified: number
  sha256: string
}

/** The sorted files of an artifact. `name` is relative to its folder, or '' if the artifact is a single file. */
export function filesOf(place: string): { name: string; file: string }[] {
  if (fs.statSync(place).isFile()) return [{ name: '', file: place }]
  return fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => ({ name: path.relative(place, file), file }))
}

/** Compares an artifact with its recorded files. `unsure`: only a file time differs, so the bytes must be read. */
export function compareFiles(place: string, recorded: readonly RecordedFile[]): 'present' | 'missing' | 'changed' | 'unsure' {
  if (!fs.existsSync(place)) return 'missing'
  let isUnsure = false
  for (const { name, bytes, modified } of recorded) {
    const found = fs.statSync(path.join(place, name), { throwIfNoEntry: false })
    if (!found?.isFile()) return 'missing'
    if (found.size !== bytes) return 'changed'
    isUnsure ||= Math.round(found.mtimeMs) !== modified
  }
  return isUnsure ? 'unsure' : 'present'
}

/** Bytes of a file or of all files in a folder; 0 if missing. */
export function sizeOf(place: string): number {
  const found = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!found) return 0
  return found.isDirectory() ? fs.readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0) : found.size
}
