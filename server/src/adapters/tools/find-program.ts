import path from 'node:path'
import { isExecutable } from './files.ts'

/** The first executable file of this name on a PATH, absolute; null if there is none. */
export function findProgram(name: string, searched: string): string | null {
  const folders = searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return folders.map((folder) => path.join(folder, name)).find(isExecutable) ?? null
}
