import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, type ForeignFolder, inJudged } from '#server/foreign/index.ts'

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
  const walk = async (source: ForeignFolder, inner: string): Promise<void> => {
    for (const { name: inside, kind } of await source.list(inner, MAX_FILES + 1)) {
      signal.throwIfAborted()
      if (path.posix.basename(inside) === '.git') continue
      if (isIncluded && !isIncluded(inside, kind === 'folder')) continue
      const found = await source.find(inside)
      if (found === null) continue // removed in the meantime
      const header = { name: path.posix.join(under, inside), mode: found.mode & 0o777, mtime: new Date(found.mtimeMs) }
      files += 1
      bytes += found.size
      if (files > MAX_FILES || bytes > MAX_BYTES)
        throw new AppError('payload_too_large', {
          message: `${folder} has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 ** 3} GB, so it was not copied.`,
          hint: 'Remove built or downloaded files, or choose the folder of a single package.',
        })
      if (found.kind === 'link') await entry({ ...header, type: 'symlink', linkname: await source.readLink(inside) })
      else if (found.kind === 'folder') {
        if (!isIncluded) await entry({ ...header, type: 'directory' })
        await walk(source, inside)
      } else if (found.kind === 'file') {
        const { size } = found
        await pipeline(firstBytes(await source.stream(inside), size), archive.entry({ ...header, size }), { signal })
      }
    }
  }
  const done = inJudged(folder, (source) => walk(source, '')).then(
    () => {
      archive.finalize()
      return { files, bytes }
    },
    (error: unknown) => {
      const reason = error instanceof ForeignFileError ? notCopied(folder, error) : error
      archive.destroy(reason as Error)
      throw reason
    },
  )
  done.catch(() => {}) // the caller handles the rejection
  return { tar: Readable.from(archive), done }
}

/** A file that grows while it is read would not fit its place in the archive. */
async function* firstBytes(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let remaining = size
  for await (const chunk of stream) {
    const part = (chunk as Buffer).subarray(0, remaining)
    remaining -= part.length
    if (part.length > 0) yield part
    if (remaining === 0) return
  }
}

const notCopied = (folder: string, error: ForeignFileError) =>
  new AppError('invalid_request', {
    message: `${folder} was not copied: ${error.message}.`,
    hint: 'Everything that is copied must be readable by your user, and must not change meanwhile.',
    cause: error,
  })

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
