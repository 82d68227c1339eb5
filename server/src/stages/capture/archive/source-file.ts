import fs from 'node:fs'

/** A client file that cannot be read: the fault of that file alone. */
export class SourceFault extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export function openSource(file: string): number {
  try {
    // O_NONBLOCK: opening a FIFO that somebody put there must not hang the thread.
    return fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
    throw new SourceFault(code, sentenceFor(code))
  }
}

/** Why a file could not be read, by the system's code. */
export function sentenceFor(code: string): string {
  if (code === 'ENOENT')
    return 'The file is gone: it was deleted or moved after it had been found. What was archived of it stays; there is nothing to do.'
  if (code === 'EACCES' || code === 'EPERM') return 'No permission to read this file. Give your user read access to it, then import again.'
  if (code === 'EISDIR') return 'This is a folder, not a transcript. Move it away if it should not be there.'
  if (code === 'ELOOP') return 'This symbolic link leads back to itself. Remove it, or let it lead to a transcript.'
  return `The file could not be read (${code}). Check the disk it lies on, then import again.`
}
