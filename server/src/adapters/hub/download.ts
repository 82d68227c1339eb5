import fs from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { isDiskFull } from '#server/disk.ts'
import { bytesHere, hasBlob, completeBlob, linkSnapshot, makeFolders, partFile, repoFolder, writeRef } from './cache.ts'
import { fileAddress, type RepoFile } from './repository.ts'
import type { Endpoint } from './request.ts'
import { fetchFile } from './transfer.ts'

export interface DownloadInput {
  endpoint: Endpoint
  /** Folder of the cache. */
  cache: string
  id: string
  ref: string
  revision: string
  files: readonly RepoFile[]
}

export interface DownloadProgress {
  files: number
  ofFiles: number
  bytes: number
  ofBytes: number
  /** Bytes that were already present at the start. */
  initialBytes: number
}

export interface DownloadContext {
  signal: AbortSignal
  progress: (now: DownloadProgress) => void
  firstWaitMs?: number
}

const PARALLEL_FILES = 3
/** Extra space for the file system and for other programs. */
const MARGIN = 1.05

/**
 * Downloads missing files into the cache, checks their hashes, and links them as a snapshot. Continues an earlier
 * download; a failure or cancellation keeps the downloaded bytes. Returns the snapshot's folder. Throws `disk_full`,
 * `path_refused`, and the errors of `fetchFile`.
 */
export async function download(input: DownloadInput, { signal, progress, firstWaitMs }: DownloadContext): Promise<string> {
  const { endpoint, cache, id, ref, revision, files } = input
  const repo = repoFolder(cache, id)
  const distinctFiles = distinct(files)
  const total = sizeOf(distinctFiles)
  try {
    await makeFolders(repo)
    const initialBytes = await presentBytes(repo, distinctFiles)
    let bytes = initialBytes
    let done = 0
    const reportProgress = () => progress({ files: done, ofFiles: distinctFiles.length, bytes, ofBytes: total, initialBytes })
    const requireSpace = async () => {
      const needed = (total - bytes) * MARGIN
      const free = await freeBytes(repo)
      if (needed > free) throw noSpace(id, needed, free, cache)
    }
    await requireSpace()
    reportProgress()
    await inParallel(distinctFiles, signal, async (file, stop) => {
      if (!(await hasBlob(repo, file))) {
        await fetchFile({
          endpoint,
          where: fileAddress(id, revision, file.path),
          what: `${file.path} of ${id}`,
          part: partFile(repo, file),
          bytes: file.bytes,
          digest: file.digest,
          signal: stop,
          onBytes(more) {
            bytes += more
            reportProgress()
          },
          onPiece: requireSpace,
          ...(firstWaitMs !== undefined && { firstWaitMs }),
        })
        await completeBlob(repo, file)
      }
      done += 1
      reportProgress()
    })
    const folder = await linkSnapshot(repo, revision, files)
    await writeRef(repo, ref, revision)
    return folder
  } catch (error) {
    throw diskError(error, cache, id)
  }
}

/** Bytes of these files that are in the cache. */
export async function presentBytes(repo: string, files: readonly RepoFile[]): Promise<number> {
  const sizes = await Promise.all(files.map((file) => bytesHere(repo, file)))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** Deletes the files of an incomplete download, but not the files of a snapshot. Returns the number of deleted bytes. */
export async function discard(cache: string, id: string): Promise<number> {
  const repo = repoFolder(cache, id)
  const snapshots = await fs.readdir(path.join(repo, 'snapshots')).catch(() => [])
  const isUnused = snapshots.length === 0
  const names = await fs.readdir(path.join(repo, 'blobs')).catch(() => [])
  let freed = 0
  for (const name of names.filter((one) => isUnused || one.endsWith('.bashgym.incomplete'))) {
    const file = path.join(repo, 'blobs', name)
    freed += (await fs.stat(file)).size
    await fs.rm(file, { force: true })
  }
  if (isUnused) await fs.rm(repo, { recursive: true, force: true })
  return freed
}

/** Free bytes for this user on the disk of a folder, which may not exist yet. */
export async function freeBytes(folder: string): Promise<number> {
  for (let place = folder; ; place = path.dirname(place)) {
    try {
      const { bavail, bsize } = await fs.statfs(place)
      return bavail * bsize
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || place === path.dirname(place)) throw error
    }
  }
}

const MORE_SPACE = 'Free some space, or choose another folder in Settings → Models, then try again. What was downloaded is kept.'
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 0)} GB`

const noSpace = (id: string, needed: number, free: number, cache: string) =>
  new AppError('disk_full', {
    message: `${id} needs another ${gigabytes(needed)}, but only ${gigabytes(free)} are free in ${cache}.`,
    hint: MORE_SPACE,
  })

/** Converts errors of the file system into errors for the user. */
export function diskError(error: unknown, cache: string, id: string): unknown {
  if (error instanceof AppError) return error
  if (isDiskFull(error))
    return new AppError('disk_full', {
      message: `The disk of ${cache} became full while ${id} was downloaded.`,
      hint: MORE_SPACE,
      cause: error,
    })
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOTDIR' && code !== 'EPERM' && code !== 'ELOOP') return error
  return new AppError('path_refused', {
    message: `Downloads cannot be written to ${cache} (${code}).`,
    hint: 'Choose another folder in Settings → Models.',
    cause: error,
  })
}

const sizeOf = (files: readonly RepoFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Files with the same content are one blob. */
export const distinct = (files: readonly RepoFile[]): RepoFile[] => [...new Map(files.map((file) => [file.digest.hex, file])).values()]

/** Works on a few files at the same time; the first failure stops the others. */
async function inParallel(files: readonly RepoFile[], signal: AbortSignal, work: (file: RepoFile, stop: AbortSignal) => Promise<void>) {
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  const waiting = [...files]
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined && !stop.aborted; file = waiting.shift()) await work(file, stop)
  }
  await Promise.all(Array.from({ length: PARALLEL_FILES }, () => worker().catch((error: unknown) => failed.abort(error))))
  stop.throwIfAborted() // with the reason: the first failure, or the cancel
}
