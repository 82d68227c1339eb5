import fs from 'node:fs'
import path from 'node:path'
import { ForeignFileError, refusalOf } from './errors.ts'
import { openPlain } from './plain.ts'

const { O_RDONLY, O_NONBLOCK } = fs.constants

/**
 * Reads a text of a folder whose files may be links by design: the model caches of the Hub's libraries. A link must lead to
 * a regular file in the same folder or, in such a cache, in the same repository. Throws `ForeignFileError`. Synchronous, and
 * waits for nothing.
 */
export function readLinked(folder: string, name: string, limitBytes: number): string {
  const handle = openLinked(folder, name)
  try {
    return textOf(handle, name, limitBytes)
  } finally {
    fs.closeSync(handle)
  }
}

/** The path without links of such a file. */
export function linkedFile(folder: string, name: string): string {
  try {
    const file = fs.realpathSync(path.join(folder, name))
    if (!file.startsWith(storeOf(fs.realpathSync(folder)) + path.sep))
      throw new ForeignFileError(name, 'link', `is a link that leads out of the folder, to ${file}`)
    requireRegular(fs.statSync(file), name)
    return file
  } catch (error) {
    throw refusalOf(error, name)
  }
}

/** Opens such a file. */
export function openLinked(folder: string, name: string): number {
  try {
    return openPlain(linkedFile(folder, name))
  } catch (error) {
    throw error instanceof ForeignFileError ? new ForeignFileError(name, error.code, error.reason) : refusalOf(error, name)
  }
}

/** Like `readLinked`; null where no such file can be read. */
export function readLinkedOrNull(folder: string, name: string, limitBytes: number): string | null {
  try {
    return readLinked(folder, name, limitBytes)
  } catch (error) {
    if (error instanceof ForeignFileError) return null
    throw error
  }
}

/** Opens a regular file that the user chose or that was found for the user; links are followed. Never waits for a FIFO. */
export async function openRegular(file: string): Promise<fs.promises.FileHandle> {
  const name = path.basename(file)
  try {
    requireRegular(await fs.promises.stat(file), name) // opening a device can have effects
    const handle = await fs.promises.open(file, O_RDONLY | O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile()) await handle.close()
    requireRegular(stat, name)
    return handle
  } catch (error) {
    throw refusalOf(error, name)
  }
}

/** `models--OWNER--NAME/snapshots/COMMIT` has links to `models--OWNER--NAME/blobs`. */
function storeOf(folder: string): string {
  const snapshots = path.dirname(folder)
  return path.basename(snapshots) === 'snapshots' ? path.dirname(snapshots) : folder
}

function requireRegular(stat: fs.Stats, name: string): void {
  if (!stat.isFile()) throw new ForeignFileError(name, 'not_regular', 'is not a regular file')
}

function textOf(handle: number, name: string, limitBytes: number): string {
  const stat = fs.fstatSync(handle)
  requireRegular(stat, name)
  if (stat.size > limitBytes) throw new ForeignFileError(name, 'too_large', `has ${stat.size} bytes, more than the ${limitBytes} that are read`) // prettier-ignore
  const bytes = Buffer.alloc(stat.size)
  let done = 0
  for (let read = -1; done < bytes.length && read !== 0; done += read) read = fs.readSync(handle, bytes, done, bytes.length - done, done)
  return bytes.toString('utf8', 0, done)
}
