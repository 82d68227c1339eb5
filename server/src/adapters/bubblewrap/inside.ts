/** Reads and writes files of a machine from outside, while its programs may change them at any time. */
import type { Readable } from 'node:stream'
import { ForeignFileError, type ForeignFolder, inForeign, type NewForeignFile } from '#server/foreign/index.ts'
import { NotRun } from '../sandbox/types.ts'
import { requirePlace } from './machine-root.ts'

/** `root`: the folder on this machine that is / inside. Throws `NotRun` unless `place` is a regular file. */
export const readInside = (root: string, place: string): Promise<Readable> => inside(root, place, (folder, name) => folder.stream(name))

/** Creates missing folders. Replaces an existing file in one step; a failed write leaves nothing. */
export const writeInside = (root: string, place: string, content: Buffer | Readable, file: NewForeignFile): Promise<void> =>
  inside(root, place, (folder, name) => folder.writeFile(name, content, file))

/** Creates a folder of a machine and its missing parents. */
export async function makeFolderInside(root: string, place: string, owner: NewForeignFile['owner']): Promise<void> {
  if (place !== '/') await inside(root, place, (folder, name) => folder.makeFolder(name, { mode: 0o755, owner }))
}

async function inside<T>(root: string, place: string, use: (folder: ForeignFolder, name: string) => Promise<T>): Promise<T> {
  requirePlace(place, 'The path')
  const name = place.split('/').filter(Boolean).join('/')
  if (name === '') throw new NotRun('invalid_request', '/ is not a file.')
  try {
    return await inForeign(root, (folder) => use(folder, name))
  } catch (error) {
    throw error instanceof ForeignFileError ? new NotRun('invalid_request', `/${error.file} in the machine ${error.reason}.`) : error
  }
}
