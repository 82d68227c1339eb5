import fs from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { isDiskFull } from '#server/disk.ts'
import { bytesHere, hasBlob, keepBlob, linkSnapshot, makeFolders, partFile, repoFolder, writeRef } from './cache.ts'
import { fileAddress, type RepoFile } from './repository.ts'
import type { Endpoint } from './request.ts'
import { fetchFile } from './transfer.ts'

export interface DownloadInput {
  endpoint: Endpoint
  /** Cache that it goes to. */
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
  /** Bytes that were here when it began. */
  before: number
}

export interface DownloadContext {
  signal: AbortSignal
  progress: (now: DownloadProgress) => void
  firstWaitMs?: number
}

const AT_ONCE = 3
/** For the file system's own use, and for writes of other programs meanwhile. */
const MARGIN = 1.05

/**
 * Downloads what is missing of the files into the cache, each checked against its hash, and then names them as a
 * snapshot. What an earlier call left is gone on with; a failure or a cancel keeps it. Returns the snapshot's folder.
 * Throws `disk_full`, `path_refused`, and what `fetchFile` throws.
 */
export async function download(input: DownloadInput, { signal, progress, firstWaitMs }: DownloadContext): Promise<string> {
  const { endpoint, cache, id, ref, revision, files } = input
  const repo = repoFolder(cache, id)
  const wanted = distinct(files)
  const total = sizeOf(wanted)
  try {
    await makeFolders(repo)
    const before = await here(repo, wanted)
    let bytes = before
    let done = 0
    const reportProgress = () => progress({ files: done, ofFiles: wanted.length, bytes, ofBytes: total, before })
    const requireSpace = async () => {
      const needed = (total - bytes) * MARGIN
      const free = await freeBytes(repo)
      if (needed > free) throw noSpace(id, needed, free, cache)
    }
    await requireSpace()
    reportProgress()
    await inTurns(wanted, signal, async (file, stop) => {
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
        await keepBlob(repo, file)
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

/** Bytes of the files that are here. */
export async function here(repo: string, files: readonly RepoFile[]): Promise<number> {
  const found = await Promise.all(files.map((file) => bytesHere(repo, file)))
  return found.reduce((sum, bytes) => sum + bytes, 0)
}

/** Deletes what an incomplete download left; whole files that a snapshot names stay. Returns how many bytes that were. */
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

/** Bytes free for this user where a folder is, or will be made. */
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

/** Errors of the file system as errors that a user can act on. */
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
    message: `Models cannot be written to ${cache} (${code}).`,
    hint: 'Choose another folder in Settings → Models.',
    cause: error,
  })
}

const sizeOf = (files: readonly RepoFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Files with the same content are one blob. */
export const distinct = (files: readonly RepoFile[]): RepoFile[] => [...new Map(files.map((file) => [file.digest.hex, file])).values()]

/** A few files at once; the first failure stops the others. */
async function inTurns(files: readonly RepoFile[], signal: AbortSignal, act: (file: RepoFile, stop: AbortSignal) => Promise<void>) {
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  const waiting = [...files]
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined && !stop.aborted; file = waiting.shift()) await act(file, stop)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error: unknown) => failed.abort(error))))
  stop.throwIfAborted() // with the reason: the first failure, or the cancel
}
