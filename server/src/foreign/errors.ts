import { lookup } from '#contracts/lookup.ts'

export type ForeignRefusal =
  | 'missing'
  | 'link'
  | 'not_a_folder'
  | 'not_regular'
  | 'folder'
  | 'denied'
  | 'too_large'
  | 'name'
  | 'exists'
  | 'not_empty'
  | 'slow'

/** A file that was not read or written, and why. `message` starts with its path below the folder. */
export class ForeignFileError extends Error {
  override name = 'ForeignFileError'
  readonly code: ForeignRefusal
  readonly file: string
  /** What follows the name in `message`. */
  readonly reason: string

  constructor(file: string, code: ForeignRefusal, reason: string, root?: string) {
    super(`${file === '' ? (root === undefined ? 'The folder' : `The folder ${root}`) : shown(file)} ${reason}`)
    this.code = code
    this.file = file
    this.reason = reason
  }
}

const shown = (file: string) => JSON.stringify(file.length > 300 ? `${file.slice(0, 300)}…` : file).slice(1, -1)

const CAUSES: Partial<Record<string, readonly [ForeignRefusal, string]>> = lookup({
  ENOENT: ['missing', 'does not exist'],
  ELOOP: ['link', 'is a link, and links are not followed'],
  ENOTDIR: ['not_a_folder', 'is a link or not a folder, or is below one; links are not followed'],
  EISDIR: ['folder', 'is a folder'],
  EACCES: ['denied', 'cannot be opened (permission denied)'],
  EPERM: ['denied', 'cannot be changed (not permitted)'],
  EROFS: ['denied', 'cannot be changed (its disk is read-only)'],
  ENXIO: ['not_regular', 'is not a regular file'],
  ENAMETOOLONG: ['name', 'has a name that is too long'],
  EEXIST: ['exists', 'exists already'],
  ENOTEMPTY: ['not_empty', 'is not empty'],
})

/** `root`: where the folder is, if it is the one that is refused. Errors of the system that say something about the file; others (such as a full disk) are left as they are. */
export function refusalOf(error: unknown, file: string, root?: string): Error {
  const cause = CAUSES[(error as NodeJS.ErrnoException).code ?? '']
  return cause === undefined ? (error as Error) : new ForeignFileError(file, ...cause, root)
}
