/** The only operations with which a hand-back changes the user's folder. */
import fs from 'node:fs'
import path from 'node:path'
import { ForeignFileError, type ForeignFolder } from '#server/foreign/index.ts'
import type { Stat } from './found.ts'

const PIECE_BYTES = 1 << 20

/** Something has changed since it was checked. */
export class ChangedMeanwhile extends Error {
  readonly path: string
  constructor(path: string) {
    super(`${path} was just changed`)
    this.path = path
  }
}

/** Bytes in a file of ours. */
export interface Bytes {
  file: string
  at: number
  size: number
}

/** Writes a new file completely and syncs it to the disk. `like`: the file gets the same owner, if permitted. */
export function writeNew(root: ForeignFolder, name: string, bytes: Bytes, mode: number, like: Stat | null): Promise<void> {
  const owner = like === null ? undefined : { uid: like.uid, gid: like.gid, isOptional: true }
  return root.writeFile(name, piecesOf(bytes), { mode, limitBytes: bytes.size, owner, replace: false, sync: true })
}

async function* piecesOf({ file, at, size }: Bytes): AsyncGenerator<Buffer> {
  if (size === 0) return
  const from = await fs.promises.open(file)
  try {
    const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES))
    for (let done = 0; done < size;) {
      const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, size - done), at + done)
      if (bytesRead === 0) throw new Error(`${file} is shorter than ${at + size} bytes`)
      yield piece.subarray(0, bytesRead)
      done += bytesRead
    }
  } finally {
    await from.close()
  }
}

export async function readBytes(bytes: Bytes): Promise<Buffer> {
  return Buffer.concat((await Array.fromAsync(piecesOf(bytes))).map((piece) => Buffer.from(piece)))
}

/** Creates missing parent folders of a path; existing ones must be folders. `modes`: permissions of known folders. */
export async function makeFolders(root: ForeignFolder, file: string, modes: ReadonlyMap<string, number>): Promise<void> {
  const parent = path.posix.dirname(file)
  if (parent === '.' || (await root.find(parent))?.kind === 'folder') return
  await makeFolders(root, parent, modes)
  const above = path.posix.dirname(parent)
  const mode = modes.get(parent) ?? ((await root.find(above === '.' ? '' : above))?.mode ?? 0o755) & 0o777
  await root.makeFolder(parent, { mode, isExact: true })
}

/** Removes a folder that contains only empty folders; false if it contains anything else. */
export async function removeEmpty(root: ForeignFolder, folder: string): Promise<boolean> {
  for (const { name, kind } of await root.list(folder)) if (kind !== 'folder' || !(await removeEmpty(root, name))) return false
  return removeFolder(root, folder)
}

/** Removes empty parent folders of a path, up to one of `kept`. */
export async function removeEmptyAbove(root: ForeignFolder, file: string, kept: ReadonlyMap<string, number>): Promise<void> {
  for (let folder = path.posix.dirname(file); folder !== '.' && !kept.has(folder); folder = path.posix.dirname(folder))
    if (!(await removeFolder(root, folder))) return
}

/** False if the folder is not empty. */
export async function removeFolder(root: ForeignFolder, folder: string): Promise<boolean> {
  try {
    await root.removeFolder(folder)
    return true
  } catch (error) {
    const code = error instanceof ForeignFileError ? error.code : (error as NodeJS.ErrnoException).code
    if (code === 'missing') return true
    if (['not_empty', 'exists', 'not_a_folder', 'denied', 'EBUSY'].includes(code ?? '')) return false
    throw error
  }
}

/** Puts the names of files that were changed on the disk, where their folders are still there. */
export async function syncFolders(root: ForeignFolder, steps: readonly { path: string }[]): Promise<void> {
  for (const parent of new Set(steps.map(({ path: file }) => path.posix.dirname(file))))
    await root.syncFolder(parent === '.' ? '' : parent).catch((error: unknown) => {
      if (!(error instanceof ForeignFileError)) throw error
    })
}
