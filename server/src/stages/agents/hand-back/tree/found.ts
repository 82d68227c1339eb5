import { createHash } from 'node:crypto'
import type fs from 'node:fs'
import { ForeignFileError, type ForeignFolder, type Found as Stat } from '#server/foreign/index.ts'
import { whyNotName } from './names.ts'

export type { Stat }

/** A file or link as git identifies it; `oid` is the blob id of its bytes. */
export interface Mark {
  type: 'file' | 'link'
  oid: string
  isExecutable: boolean
}

/** What exists at a path of a folder or a git tree. `why`: why it could not be read; `link`: the link that it is below. */
export type Found =
  | { kind: 'none' }
  | { kind: 'mark'; mark: Mark; mode: number }
  | { kind: 'folder' | 'submodule' | 'other' }
  | { kind: 'unreadable'; why: string; link?: string }

/** Receives the bytes of a file while they are read. */
export type CopyTo = (piece: Buffer) => void

const OWNER_EXECUTES = 0o100
const PIECE_BYTES = 1 << 20
/** Of a larger file, nobody waits for the hash. */
const MAX_BYTES = 4 * 1024 ** 3

export const sameMark = (one: Mark | null, other: Mark | null): boolean =>
  one === other ||
  (one !== null && other !== null && one.type === other.type && one.oid === other.oid && one.isExecutable === other.isExecutable)

const blobHash = (size: number) => createHash('sha1').update(`blob ${size}\0`)
export const oidOf = (bytes: Buffer): string => blobHash(bytes.length).update(bytes).digest('hex')

export const parentFolders = (file: string): string[] => {
  const names = file.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

/** What exists at a path for a change that itself removes these paths: nothing, if it is below a link that goes away. */
export const withoutRemoved = (found: Found, removed: ReadonlySet<string>): Found =>
  found.kind === 'unreadable' && found.link !== undefined && removed.has(found.link) ? { kind: 'none' } : found

/** Reads what a path of the user's folder has now. `stat`: of the file or link that was read. */
export async function lookAt(root: ForeignFolder, file: string, copyTo?: CopyTo): Promise<{ found: Found; stat: Stat | null }> {
  try {
    return await root.withFile(file, async (handle, stat) => {
      if (stat.size > MAX_BYTES) return { found: { kind: 'unreadable', why: 'it is larger than 4 GB' }, stat: null }
      const mark: Mark = { type: 'file', oid: await oidOfFile(handle, stat.size, copyTo), isExecutable: (stat.mode & OWNER_EXECUTES) !== 0 }
      return { found: { kind: 'mark', mark, mode: stat.mode }, stat }
    })
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    return error.code === 'link' ? lookAtLink(root, file, copyTo) : { found: await unlessFile(root, file, error), stat: null }
  }
}

async function lookAtLink(root: ForeignFolder, file: string, copyTo?: CopyTo): Promise<{ found: Found; stat: Stat | null }> {
  const stat = await root.find(file)
  const target = stat?.kind === 'link' ? await root.linkBytes(file).catch(() => null) : null
  if (target === null) return { found: { kind: 'unreadable', why: 'it was just changed; try again' }, stat: null }
  copyTo?.(target)
  return { found: { kind: 'mark', mark: { type: 'link', oid: oidOf(target), isExecutable: false }, mode: 0 }, stat }
}

async function unlessFile(root: ForeignFolder, file: string, { code, reason }: ForeignFileError): Promise<Found> {
  switch (code) {
    case 'folder': return { kind: 'folder' } // prettier-ignore
    case 'not_regular': return { kind: 'other' } // prettier-ignore
    case 'missing':
    case 'not_a_folder': {
      const link = await linkAbove(root, file)
      return link === null ? { kind: 'none' } : { kind: 'unreadable', why: `its folder ${link} is a symbolic link`, link }
    }
    case 'denied': return { kind: 'unreadable', why: 'your user has no permission to read it' } // prettier-ignore
    case 'name': return { kind: 'unreadable', why: whyNotName(file) ?? 'its name is too long for this disk' } // prettier-ignore
    default: return { kind: 'unreadable', why: `it ${reason}` } // prettier-ignore
  }
}

/** The first of its parent folders that is a link. */
async function linkAbove(root: ForeignFolder, file: string): Promise<string | null> {
  for (const folder of parentFolders(file)) {
    const kind = (await root.find(folder))?.kind
    if (kind !== 'folder') return kind === 'link' ? folder : null
  }
  return null
}

async function oidOfFile(handle: fs.promises.FileHandle, size: number, copyTo?: CopyTo): Promise<string> {
  let left = size
  const hash = blobHash(left)
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(left, 1), PIECE_BYTES))
  while (left > 0) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(left, buffer.length), null)
    if (bytesRead === 0) break // the file became shorter, so its hash will match nothing
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    copyTo?.(piece)
    left -= bytesRead
  }
  return hash.digest('hex')
}
