import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** A file or link as git identifies it; `oid` is the blob id of its bytes. */
export interface Mark {
  type: 'file' | 'link'
  oid: string
  isExecutable: boolean
}

/** What exists at a path of a folder or a git tree. `why`: why it could not be read. */
export type Found =
  | { kind: 'none' }
  | { kind: 'mark'; mark: Mark; mode: number }
  | { kind: 'folder' | 'submodule' | 'other' }
  | { kind: 'unreadable'; why: string }

const OWNER_EXECUTES = 0o100
const PIECE_BYTES = 1 << 20

export const sameMark = (one: Mark | null, other: Mark | null): boolean =>
  one === other ||
  (one !== null && other !== null && one.type === other.type && one.oid === other.oid && one.isExecutable === other.isExecutable)

export const placeOf = (root: string, file: string): string => path.join(root, ...file.split('/'))

/** Does not follow links. Undefined if nothing exists, also if one of its folders is a file. */
export function statOf(place: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

const blobHash = (size: number) => createHash('sha1').update(`blob ${size}\0`)
export const oidOf = (bytes: Buffer): string => blobHash(bytes.length).update(bytes).digest('hex')

/** Reads paths below a folder, but never through a linked folder. */
export function createReader(root: string): (file: string, copyTo?: (piece: Buffer) => void) => Found {
  const linked = new Map<string, string | null>()
  /** The first of its parent folders that is a link. */
  const linkAbove = (file: string): string | null => {
    const folder = path.posix.dirname(file)
    if (folder === '.') return null
    const known = linked.get(folder)
    if (known !== undefined) return known
    const above = linkAbove(folder)
    const isLink = above === null && statOf(placeOf(root, folder))?.isSymbolicLink() === true
    const found = isLink ? folder : above
    linked.set(folder, found)
    return found
  }
  return (file, copyTo) => {
    try {
      const link = linkAbove(file)
      if (link !== null) return { kind: 'unreadable', why: `its folder ${link} is a symbolic link` }
      return look(placeOf(root, file), copyTo)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENAMETOOLONG') return { kind: 'unreadable', why: 'its name is too long for this disk' }
      throw error
    }
  }
}

/** Reads what exists now, without following links. `copyTo` receives the bytes. */
function look(place: string, copyTo?: (piece: Buffer) => void): Found {
  let stat: fs.Stats | undefined
  try {
    stat = statOf(place)
    if (stat === undefined) return { kind: 'none' }
    if (stat.isDirectory()) return { kind: 'folder' }
    if (stat.isSymbolicLink()) {
      const target = fs.readlinkSync(place, { encoding: 'buffer' })
      copyTo?.(target)
      return { kind: 'mark', mark: { type: 'link', oid: oidOf(target), isExecutable: false }, mode: 0 }
    }
    if (!stat.isFile()) return { kind: 'other' }
    const isExecutable = (stat.mode & OWNER_EXECUTES) !== 0
    return { kind: 'mark', mark: { type: 'file', oid: oidOfFile(place, copyTo), isExecutable }, mode: stat.mode & 0o7777 }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') return { kind: 'unreadable', why: 'your user has no permission to read it' }
    throw error
  }
}

function oidOfFile(place: string, copyTo?: (piece: Buffer) => void): string {
  const fd = fs.openSync(place, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
  try {
    let left = fs.fstatSync(fd).size
    const hash = blobHash(left)
    const piece = Buffer.allocUnsafe(Math.min(Math.max(left, 1), PIECE_BYTES))
    while (left > 0) {
      const read = fs.readSync(fd, piece, 0, Math.min(left, piece.length), null)
      if (read === 0) break // the file became shorter, so its hash will match nothing
      hash.update(piece.subarray(0, read))
      copyTo?.(piece.subarray(0, read))
      left -= read
    }
    return hash.digest('hex')
  } finally {
    fs.closeSync(fd)
  }
}
