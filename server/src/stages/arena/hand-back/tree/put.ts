/** The few ways in which a hand-back changes a folder of the user. */
import fs from 'node:fs'
import path from 'node:path'
import { placeOf, statOf } from './found.ts'

const PIECE_BYTES = 1 << 20
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Something is not as it was when it was looked at. */
export class ChangedMeanwhile extends Error {
  readonly path: string
  constructor(path: string) {
    super(`${path} was changed at this moment`)
    this.path = path
  }
}

export interface Bytes {
  file: string
  at: number
  size: number
}

/** Writes a file that is not there yet, whole and on the disk. `like`: whose owner it gets, where this user may give it. */
export function writeNew(place: string, { file, at, size }: Bytes, mode: number, like: fs.Stats | null): void {
  const from = fs.openSync(file, 'r')
  const to = fs.openSync(place, 'wx', 0o600)
  try {
    const piece = Buffer.allocUnsafe(Math.min(Math.max(size, 1), PIECE_BYTES))
    for (let done = 0; done < size;) {
      const read = fs.readSync(from, piece, 0, Math.min(piece.length, size - done), at + done)
      if (read === 0) throw new Error(`${file} is shorter than ${at + size} bytes`)
      for (let written = 0; written < read;) written += fs.writeSync(to, piece, written, read - written)
      done += read
    }
    if (like !== null) giveTo(to, like)
    fs.fchmodSync(to, mode)
    fs.fsyncSync(to)
  } finally {
    fs.closeSync(to)
    fs.closeSync(from)
  }
}

function giveTo(fd: number, { uid, gid }: fs.Stats): void {
  const own = fs.fstatSync(fd)
  if (own.uid === uid && own.gid === gid) return
  try {
    fs.fchownSync(fd, uid, gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error // a group that this user is not in
  }
}

export function readBytes({ file, at, size }: Bytes): Buffer {
  const fd = fs.openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(size)
    for (let done = 0; done < size;) {
      const read = fs.readSync(fd, bytes, done, size - done, at + done)
      if (read === 0) throw new Error(`${file} is shorter than ${at + size} bytes`)
      done += read
    }
    return bytes
  } finally {
    fs.closeSync(fd)
  }
}

/** Gives a written file its name, where nothing has it. */
export function placeNew(temporary: string, place: string): void {
  try {
    fs.linkSync(temporary, place) // unlike a rename, this replaces nothing
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!NO_HARD_LINKS.has(code ?? '')) throw error
    if (statOf(place)) throw new ChangedMeanwhile(place)
    fs.renameSync(temporary, place)
    return
  }
  fs.unlinkSync(temporary)
}

/** Makes the folders above a path that are missing; what is there must be folders. `modes`: permissions of those that are known. */
export function makeFolders(root: string, file: string, modes: ReadonlyMap<string, number>): void {
  const names = file.split('/').slice(0, -1)
  for (let depth = 1; depth <= names.length; depth += 1) {
    const folder = names.slice(0, depth).join('/')
    const place = placeOf(root, folder)
    const stat = statOf(place)
    if (stat?.isDirectory()) continue
    if (stat) throw new ChangedMeanwhile(folder)
    const mode = modes.get(folder) ?? fs.statSync(path.dirname(place)).mode & 0o777
    fs.mkdirSync(place, 0o700)
    fs.chmodSync(place, mode)
  }
}

/** Removes a folder that holds nothing but folders; false if it holds something. */
export function removeEmpty(place: string): boolean {
  for (const entry of fs.readdirSync(place, { withFileTypes: true }))
    if (!entry.isDirectory() || !removeEmpty(path.join(place, entry.name))) return false
  return removeFolder(place)
}

/** Removes the folders above a path that are empty, up to one of `kept`. */
export function removeEmptyAbove(root: string, file: string, kept: ReadonlyMap<string, number>): void {
  for (let folder = path.posix.dirname(file); folder !== '.' && !kept.has(folder); folder = path.posix.dirname(folder))
    if (!removeFolder(placeOf(root, folder))) return
}

/** False: there is something in it. */
export function removeFolder(place: string): boolean {
  try {
    fs.rmdirSync(place)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return true
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR' || code === 'EBUSY' || code === 'EACCES') return false
    throw error
  }
}
