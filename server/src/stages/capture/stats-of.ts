import fs from 'node:fs'

/** Error codes of a path to nothing: missing, a file instead of a folder, a circular link. */
const NOTHING_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** The target of a path, or null if there is none. Throws other errors (no permission). */
export function statsOf(file: string): fs.Stats | null {
  try {
    return fs.statSync(file)
  } catch (error) {
    if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** Whether a path is a folder and not a link to one. */
export const isOwnFolder = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Whether a path leads to a folder that this process may see. */
export function isFolder(file: string): boolean {
  try {
    return statsOf(file)?.isDirectory() ?? false
  } catch {
    return false
  }
}
