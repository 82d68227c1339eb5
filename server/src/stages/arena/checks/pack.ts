import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { AppError } from '#contracts/errors.ts'

const MAX_FILES = 200_000
const MAX_BYTES = 2 * 1024 * 1024 * 1024

export type FileFilter = (name: string, isFolder: boolean) => boolean

export interface Packing {
  tar: Readable
  /** Resolves when everything is in the archive. Rejects if a file cannot be read; the archive then ends early. */
  done: Promise<{ files: number; bytes: number }>
}

/**
 * Packs a folder into a tar file with names below `under`, including installed packages but without `.git`, sockets and devices.
 * Links remain links. `isIncluded` selects files and links, and the folders to search; folders without selected files are omitted.
 */
export function packFolder(folder: string, under: string, signal: AbortSignal, isIncluded?: FileFilter): Packing {
  const archive = pack()
  let files = 0
  let bytes = 0
  const entry = (header: Parameters<typeof archive.entry>[0]) =>
    new Promise<void>((resolve, reject) => archive.entry(header, (error) => (error ? reject(error) : resolve())))
  const walk = async (inner: string): Promise<void> => {
    const found = await fs.promises.readdir(path.join(folder, inner), { withFileTypes: true })
    for (const item of found) {
      signal.throwIfAborted()
      if (item.name === '.git') continue
      const inside = path.posix.join(inner, item.name)
      if (isIncluded && !isIncluded(inside, item.isDirectory())) continue
      const name = path.posix.join(under, inside)
      const place = path.join(folder, inner, item.name)
      const stat = await fs.promises.lstat(place)
      const header = { name, mode: stat.mode & 0o777, mtime: stat.mtime }
      files += 1
      bytes += stat.size
      if (files > MAX_FILES || bytes > MAX_BYTES)
        throw new AppError('payload_too_large', {
          message: `${folder} has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 ** 3} GB, so it was not copied.`,
          hint: 'Remove built or downloaded files, or choose the folder of a single package.',
        })
      if (stat.isSymbolicLink()) await entry({ ...header, type: 'symlink', linkname: await fs.promises.readlink(place) })
      else if (stat.isDirectory()) {
        if (!isIncluded) await entry({ ...header, type: 'directory' })
        await walk(inside)
      } else if (stat.isFile()) await pipeline(fs.createReadStream(place, { end: Math.max(stat.size - 1, 0) }), archive.entry({ ...header, size: stat.size }), { signal }) // prettier-ignore
    }
  }
  const done = walk('').then(
    () => {
      archive.finalize()
      return { files, bytes }
    },
    (error: unknown) => {
      archive.destroy(error as Error)
      throw error
    },
  )
  done.catch(() => {}) // the caller handles the rejection
  return { tar: Readable.from(archive), done }
}

/** Copies a folder into a sandbox, with names below `under`. Returns the number of files. */
export async function copyFolder(
  from: string,
  under: string,
  unpack: (tar: Readable) => Promise<void>,
  signal: AbortSignal,
  isIncluded?: FileFilter,
): Promise<number> {
  const packing = packFolder(from, under, signal, isIncluded)
  await unpack(packing.tar).catch(async (error: unknown) => {
    await packing.done // prefers the error of an unreadable file
    throw error
  })
  return (await packing.done).files
}

export type TarFile = { name: string; mode: number; content: Buffer | string } | { name: string; linkname: string }

/** Packs files and links into a tar file as they arrive. */
export function packFiles(files: Iterable<TarFile> | AsyncIterable<TarFile>): Readable {
  const archive = pack()
  const write = async () => {
    for await (const file of files)
      await new Promise<void>((resolve, reject) => {
        const written = (error?: Error | null) => (error ? reject(error) : resolve())
        if ('linkname' in file) archive.entry({ ...file, type: 'symlink' }, written)
        else archive.entry({ name: file.name, mode: file.mode }, file.content, written)
      })
    archive.finalize()
  }
  void write().catch((error: unknown) => archive.destroy(error as Error))
  return Readable.from(archive)
}
