import path from 'node:path'
import { AppError } from '#contracts/errors.ts'

/** Whether a file is this path or below it. Both absolute and normalised; links are not followed. */
export const isWithin = (place: string, file: string): boolean => file === place || file.startsWith(place + path.sep)

/**
 * The path of `names` below `root`, each of them one file name. An id or path from a row (which may come from a
 * backup that somebody else made) becomes a path only here. Throws `path_refused`.
 */
export function placeBelow(root: string, ...names: readonly string[]): string {
  for (const name of names)
    if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
      throw new AppError('path_refused', {
        message: `The database names "${name.slice(0, 200)}", which cannot be a file in ${root}.`,
        hint: 'Bash Gym never writes such a name, so something else changed the database. Restore one of your own backups.',
      })
  return path.join(root, ...names)
}

/** The same for a path of several parts, separated by "/". */
export const fileBelow = (root: string, relative: string): string => placeBelow(root, ...relative.split('/'))
