import path from 'node:path'
import { AppError } from '#contracts/errors.ts'

/** Whether a file is at or below a path. Both must be absolute and normalised; links are not followed. */
export const isWithin = (place: string, file: string): boolean => file === place || file.startsWith(place + path.sep)

/**
 * The path of `names` below `root`, each of which must be one file name. Ids and paths from rows become file paths only
 * here, because the rows may come from a stranger's backup. Throws `path_refused`.
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

/** Like `placeBelow`, for a path with "/". */
export const fileBelow = (root: string, relative: string): string => placeBelow(root, ...relative.split('/'))
