import fs from 'node:fs'

/** Codes of a path that leads to nothing: not there, a file where a folder has to be, a link that leads back to itself. */
const NOTHING_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** What a path leads to; null where it leads to nothing. Throws what else the system says (no permission). */
export function statsOf(file: string): fs.Stats | null {
  try {
    return fs.statSync(file)
  } catch (error) {
    if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** Whether a path is a folder itself, and no link to one. */
export const isOwnFolder = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Whether a path leads to a folder, as far as this process may see. */
export function isFolder(file: string): boolean {
  try {
    return statsOf(file)?.isDirectory() ?? false
  } catch {
    return false
  }
}
