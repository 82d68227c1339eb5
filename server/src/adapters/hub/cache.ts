// The cache of the Hugging Face libraries: `models--OWNER--NAME/{blobs/HASH, snapshots/COMMIT/FILE → ../../blobs/HASH, refs/BRANCH}`.
// Data sets are `datasets--OWNER--NAME`.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileBelow, placeBelow } from '#server/within.ts'
import { readLinkedOrNull } from '#server/foreign/index.ts'
import { isDataSet, type RepoFile, REVISION } from './repository.ts'

export const repoFolder = (cache: string, id: string): string =>
  placeBelow(cache, (isDataSet(id) ? id : `models/${id}`).replaceAll('/', '--'))
export const snapshotFolder = (repo: string, revision: string): string => placeBelow(repo, 'snapshots', revision)
/** The commit that a branch was fetched at; null if it was not. The cache is shared with other programs, so the file is only read as a hash. */
export function fetchedRevision(repo: string, ref: string): string | null {
  const text = readLinkedOrNull(placeBelow(repo, 'refs'), ref, 200)?.trim() ?? ''
  return REVISION.test(text) ? text : null
}
export const blobFile = (repo: string, { digest }: RepoFile): string => placeBelow(repo, 'blobs', digest.hex)
/** A name that no other program uses, because another program may download the same file at the same time. */
export const partFile = (repo: string, { digest }: RepoFile): string => placeBelow(repo, 'blobs', `${digest.hex}.bashgym.incomplete`)

/** Whether the blob exists with the right length. */
export const hasBlob = async (repo: string, file: RepoFile): Promise<boolean> => (await sizeOf(blobFile(repo, file))) === file.bytes

/** Bytes of a complete or partial file in the cache. */
export async function bytesHere(repo: string, file: RepoFile): Promise<number> {
  if (await hasBlob(repo, file)) return file.bytes
  const size = (await sizeOf(partFile(repo, file))) ?? 0
  return size > file.bytes ? 0 : size
}

async function sizeOf(file: string): Promise<number | null> {
  const stat = await fs.stat(file).catch(() => null)
  return stat?.isFile() ? stat.size : null
}

export async function makeFolders(repo: string): Promise<void> {
  for (const name of ['blobs', 'refs', 'snapshots']) await fs.mkdir(path.join(repo, name), { recursive: true, mode: 0o700 })
}

/** Renames a checked partial file to its blob. */
export async function completeBlob(repo: string, file: RepoFile): Promise<void> {
  await fs.rename(partFile(repo, file), blobFile(repo, file))
  await syncFolder(path.join(repo, 'blobs'))
}

/** Links the files of a commit, `config.json` last, so that its presence means a complete model. */
export async function linkSnapshot(repo: string, revision: string, files: readonly RepoFile[]): Promise<string> {
  const folder = snapshotFolder(repo, revision)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const isConfig = ({ path: name }: RepoFile) => Number(name === 'config.json')
  for (const file of files.toSorted((a, b) => isConfig(a) - isConfig(b))) {
    const place = fileBelow(folder, file.path)
    const parent = path.dirname(place)
    await fs.mkdir(parent, { recursive: true, mode: 0o700 })
    const temporary = path.join(parent, `.${randomUUID()}`)
    await link(path.relative(parent, blobFile(repo, file)), temporary, blobFile(repo, file))
    await fs.rename(temporary, place)
  }
  await syncFolder(folder)
  return folder
}

/** Writes the commit of a branch, which the libraries read. */
export async function writeRef(repo: string, ref: string, revision: string): Promise<void> {
  const file = placeBelow(repo, 'refs', ref)
  const temporary = `${file}.${randomUUID()}`
  await fs.writeFile(temporary, revision, { mode: 0o600, flush: true })
  await fs.rename(temporary, file)
}

/** If links are not allowed (Windows without developer mode), it copies, like the libraries. */
async function link(target: string, place: string, blob: string): Promise<void> {
  try {
    await fs.symlink(target, place)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    await fs.copyFile(blob, place)
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // folders cannot be opened there
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
