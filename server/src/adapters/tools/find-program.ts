import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** The first executable file of this name on a PATH, absolute; null where there is none. */
export function findProgram(name: string, searched: string): string | null {
  const folders = searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return folders.map((folder) => path.join(folder, name)).find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
