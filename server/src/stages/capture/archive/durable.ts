import fs from 'node:fs'
import { promisify } from 'node:util'

const flush = promisify(fs.fsync)

export function readIfThere(file: string): Buffer | null {
  try {
    return fs.readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += fs.writeSync(fd, bytes, done)
}

/** Resolves when everything written is on disk. */
export const sync = (fd: number): Promise<void> => flush(fd)

/** `sync` for the entries of a folder: new files in it. */
export async function syncFolder(folder: string): Promise<void> {
  const fd = fs.openSync(folder, 'r')
  try {
    await sync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
