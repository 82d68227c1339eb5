/** The only operations with which a hand-back changes the user's folder. */
import fs from 'node:fs'
import path from 'node:path'
import { placeOf, statOf } from './found.ts'

const PIECE_BYTES = 1 << 20
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Something has changed since it was checked. */
export class ChangedMeanwhile extends Error {
  readonly path: string
  constructor(path: string) {
    super(`${path} was just changed`)
    this.path = path
  }
}

export interface Bytes {
  file: string
  at: number
  size: number
}

/** Writes a new file completely and syncs it to the disk. `like`: the file gets the same owner, if permitted. */
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
    if (like !== null) setOwner(to, like)
    fs.fchmodSync(to, mode)
    fs.fsyncSync(to)
  } finally {
    fs.closeSync(to)
    fs.closeSync(from)
  }
}

function setOwner(fd: number, { uid, gid }: fs.Stats): void {
  const current = fs.fstatSync(fd)
  if (current.uid === uid && current.gid === gid) return
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

/** Gives a written file its final name, if that name is free. */
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

/** Creates missing parent folders of a path; existing ones must be folders. `modes`: permissions of known folders. */
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

/** Removes a folder that contains only empty folders; false if it contains anything else. */
export function removeEmpty(place: string): boolean {
  for (const entry of fs.readdirSync(place, { withFileTypes: true }))
    if (!entry.isDirectory() || !removeEmpty(path.join(place, entry.name))) return false
  return removeFolder(place)
}

/** Removes empty parent folders of a path, up to one of `kept`. */
export function removeEmptyAbove(root: string, file: string, kept: ReadonlyMap<string, number>): void {
  for (let folder = path.posix.dirname(file); folder !== '.' && !kept.has(folder); folder = path.posix.dirname(folder))
    if (!removeFolder(placeOf(root, folder))) return
}

/** False if the folder is not empty. */
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
