import fs from 'node:fs'
import path from 'node:path'
import { ForeignFileError, linkedFile } from '#server/foreign/index.ts'
import type { PartOf } from './sets/types.ts'

/**
 * The files of a part below a folder, or the named file itself; null if they are not there. Regular files only; in the hub's cache links
 * lead to them, within its repository.
 */
export function filesIn(place: string, { files, or = [] }: PartOf, isCache = false): string[] | null {
  if (isCache) {
    try {
      return files.map((name) => linkedFile(place, name))
    } catch (error) {
      if (error instanceof ForeignFileError) return null
      throw error
    }
  }
  if (files.length === 1 && isFile(place)) return [place]
  const found = [files, ...or].find((names) => names.length > 0 && names.every((name) => isFile(path.join(place, name))))
  return found?.map((name) => path.join(place, name)) ?? null
}

const isFile = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false

/** What a folder should have. */
export const namesOf = ({ files, or = [] }: PartOf): string => [files, ...or].map((names) => names.join(' with ')).join(', or ')
