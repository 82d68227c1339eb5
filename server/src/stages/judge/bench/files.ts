import fs from 'node:fs'
import path from 'node:path'
import type { PartOf } from './sets/types.ts'

/**
 * The files of a part below a folder, or the named file itself; null if they are not there. Regular files only; in the hub's cache, which
 * is ours, links lead to them.
 */
export function filesIn(place: string, { files, or = [] }: PartOf, isCache = false): string[] | null {
  if (isCache) {
    const all = files.map((name) => path.join(place, name))
    return all.every((file) => fs.existsSync(file)) ? all.map((file) => fs.realpathSync(file)) : null
  }
  if (files.length === 1 && isFile(place)) return [place]
  const found = [files, ...or].find((names) => names.length > 0 && names.every((name) => isFile(path.join(place, name))))
  return found?.map((name) => path.join(place, name)) ?? null
}

const isFile = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false

/** What a folder should have. */
export const namesOf = ({ files, or = [] }: PartOf): string => [files, ...or].map((names) => names.join(' with ')).join(', or ')
