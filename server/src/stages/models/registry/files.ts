import fs from 'node:fs'
import path from 'node:path'

/** A file of an artifact as it was when it was last read. `modified`: ms. */
export interface KnownFile {
  name: string
  bytes: number
  modified: number
  sha256: string
}

/** Files of an artifact (a folder, or one file), with paths relative to it; '' for the file itself. Sorted. */
export function filesOf(place: string): { name: string; file: string }[] {
  if (fs.statSync(place).isFile()) return [{ name: '', file: place }]
  return fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => ({ name: path.relative(place, file), file }))
}

/** Whether an artifact is as it was: `unsure` where only the time of a file differs, so that its bytes must be read. */
export function compareFiles(place: string, known: readonly KnownFile[]): 'present' | 'missing' | 'changed' | 'unsure' {
  if (!fs.existsSync(place)) return 'missing'
  let unsure = false
  for (const { name, bytes, modified } of known) {
    const found = fs.statSync(path.join(place, name), { throwIfNoEntry: false })
    if (!found?.isFile()) return 'missing'
    if (found.size !== bytes) return 'changed'
    unsure ||= Math.round(found.mtimeMs) !== modified
  }
  return unsure ? 'unsure' : 'present'
}

/** Bytes of a file, or of all in a folder; 0 if there is nothing. */
export function sizeOf(place: string): number {
  const found = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!found) return 0
  return found.isDirectory() ? fs.readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0) : found.size
}
