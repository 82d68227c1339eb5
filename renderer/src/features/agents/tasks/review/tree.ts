import type { ChangedFile } from '#contracts/entities/task.ts'

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** By folder, then by name. */
export const inTreeOrder = (files: readonly ChangedFile[]): ChangedFile[] =>
  files.toSorted((a, b) => compare(folderOf(a.path), folderOf(b.path)) || compare(a.path, b.path))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Files by folder; '' is the top folder. */
export function foldersOf(files: readonly ChangedFile[]): { folder: string; files: ChangedFile[] }[] {
  return [...Map.groupBy(files, ({ path }) => folderOf(path))].map(([folder, inside]) => ({ folder, files: inside }))
}
