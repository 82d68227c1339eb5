import fs from 'node:fs'
import { ForeignFileError, refusalOf } from './errors.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants // Windows lacks the last two, which then count as 0

/**
 * Opens a regular file by its path without links, which whoever chose it has resolved. A path that a program has changed since,
 * so that a part of it is a link, is refused. Waits for nothing. Synchronous, for workers. Throws `ForeignFileError`.
 */
export function openPlain(file: string): number {
  let handle: number | null = null
  try {
    requireRegular(fs.lstatSync(file), file) // opening a device can have effects
    handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    requireRegular(fs.fstatSync(handle), file) // it may have been replaced
    requireItself(handle, file)
    return handle
  } catch (error) {
    if (handle !== null) fs.closeSync(handle)
    throw refusalOf(error, file)
  }
}

function requireRegular(stat: fs.Stats, file: string): void {
  if (stat.isSymbolicLink()) throw isLink(file)
  if (stat.isDirectory()) throw new ForeignFileError(file, 'folder', 'is a folder')
  if (!stat.isFile()) throw new ForeignFileError(file, 'not_regular', 'is not a regular file')
}

function requireItself(handle: number, file: string): void {
  if (process.platform === 'linux') {
    const place = fs.readlinkSync(`/proc/self/fd/${handle}`)
    if (place === file) return
    if (place === `${file} (deleted)`) throw new ForeignFileError(file, 'missing', 'does not exist')
    throw isLink(file)
  }
  const [opened, atPath] = [fs.fstatSync(handle, { bigint: true }), fs.lstatSync(file, { bigint: true })]
  if (fs.realpathSync(file) !== file || opened.ino !== atPath.ino || opened.dev !== atPath.dev) throw isLink(file)
}

const isLink = (file: string) => new ForeignFileError(file, 'link', 'is a link or below one, and links are not followed')
