import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import { UsageError } from '../../command.ts'
import type { Sandboxes } from './sandboxes.ts'

const MAX_FILES = 10_000
const MAX_BYTES = 256 * 1024 * 1024
/** A request may have 10 MB, and base64 adds a third. */
const MAX_FILE_BYTES = 6 * 1024 * 1024
const CONCURRENCY = 4

export interface Copied {
  files: number
  bytes: number
  /** Paths of links, sockets and files that are too large. */
  skipped: string[]
}

/** Copies the regular files of `folder` to `target` in a running sandbox. */
export async function copyFolder(sandboxes: Sandboxes, id: string, folder: string, target: string): Promise<Copied> {
  const { putFile } = sandboxes
  if (!putFile) throw new UsageError('--mount-copy needs a Bash Gym server; the bare service does not accept files.')
  return inForeign(fs.realpathSync(folder), async (from) => {
    const { files, skipped } = await filesOf(from)
    let bytes = 0
    let copied = 0
    const queue = [...files]
    const copy = async () => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        const found = await from.find(name)
        const content = await from.read(name, MAX_FILE_BYTES).catch(unlessForeign)
        if (found === null || content === null) {
          skipped.push(name) // it was replaced by something else in the meantime
          continue
        }
        bytes += content.length
        copied += 1
        await putFile(id, {
          path: path.posix.join(target, name),
          content: content.toString('base64'),
          encoding: 'base64',
          mode: found.mode & 0o777,
        })
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, copy))
    return { files: copied, bytes, skipped }
  })
}

const unlessForeign = (error: unknown): null => {
  if (error instanceof ForeignFileError) return null
  throw error
}

/** Checks the limits before anything is copied. */
async function filesOf(folder: ForeignFolder): Promise<{ files: string[]; skipped: string[] }> {
  const files: string[] = []
  const skipped: string[] = []
  let bytes = 0
  for await (const { name, kind } of folder.walk()) {
    if (kind === 'folder') continue
    const size = kind === 'file' ? ((await folder.find(name))?.size ?? null) : null
    if (size === null || size > MAX_FILE_BYTES) {
      skipped.push(name)
      continue
    }
    bytes += size
    files.push(name)
    if (files.length > MAX_FILES || bytes > MAX_BYTES)
      throw new AppError('payload_too_large', {
        message: `${folder.root} has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MB.`,
        hint: 'Copy a smaller folder.',
      })
  }
  return { files, skipped }
}
