import fs from 'node:fs'

/** An agent's file that cannot be read; other files are not affected. */
export class SourceFault extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Opens a file by a path without links. If a part of it has become a link since the file was found, the file is refused. */
export function openSource(file: string): number {
  let fd: number | null = null
  try {
    // O_NONBLOCK: opening a FIFO must not block the thread.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW)
    if (isFileAt(fd, file)) return fd
  } catch (error) {
    if (fd !== null) fs.closeSync(fd)
    const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
    if (code === 'ELOOP') throw new SourceFault(code, REPLACED_BY_LINK)
    throw new SourceFault(code, readErrorSentence(code))
  }
  fs.closeSync(fd)
  throw new SourceFault('ELOOP', REPLACED_BY_LINK)
}

/** Whether an open file is the one at this path, and no part of the path is a link. */
function isFileAt(fd: number, file: string): boolean {
  const opened = fs.fstatSync(fd, { bigint: true })
  const atPath = fs.lstatSync(file, { bigint: true })
  return fs.realpathSync(file) === file && opened.ino === atPath.ino && opened.dev === atPath.dev
}

const REPLACED_BY_LINK = 'This path was replaced by a symbolic link, so it was not read. Put the file itself there, then import again.'

/** Why a file could not be read, as a sentence. */
export function readErrorSentence(code: string): string {
  if (code === 'ENOENT')
    return 'The file was deleted or moved during the import. Whatever was archived from it is kept; there is nothing to do.'
  if (code === 'EACCES' || code === 'EPERM') return 'No permission to read this file. Give your user read access to it, then import again.'
  if (code === 'EISDIR') return 'This is a folder, not a transcript. Move it if it should not be there.'
  if (code === 'ELOOP') return 'This symbolic link points to itself. Remove it, or point it to a transcript.'
  return `Couldn't read the file (${code}). Check its disk, then import again.`
}
