import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
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
  const { files, skipped } = filesOf(folder)
  let bytes = 0
  const queue = [...files]
  const copy = async () => {
    for (let relativePath = queue.pop(); relativePath !== undefined; relativePath = queue.pop()) {
      const file = path.join(folder, relativePath)
      const content = await fs.promises.readFile(file)
      const mode = (await fs.promises.stat(file)).mode & 0o777
      bytes += content.length
      await putFile(id, { path: path.posix.join(target, relativePath), content: content.toString('base64'), encoding: 'base64', mode })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, copy))
  return { files: files.length, bytes, skipped }
}

/** Checks the limits before anything is copied. */
function filesOf(folder: string): { files: string[]; skipped: string[] } {
  const files: string[] = []
  const skipped: string[] = []
  let bytes = 0
  const walk = (inner: string) => {
    for (const entry of fs.readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const name = path.posix.join(inner, entry.name)
      if (entry.isDirectory()) {
        walk(name)
        continue
      }
      const size = entry.isFile() ? fs.statSync(path.join(folder, name)).size : null
      if (size === null || size > MAX_FILE_BYTES) {
        skipped.push(name)
        continue
      }
      bytes += size
      files.push(name)
      if (files.length > MAX_FILES || bytes > MAX_BYTES)
        throw new AppError('payload_too_large', {
          message: `${folder} has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MB.`,
          hint: 'Copy a smaller folder.',
        })
    }
  }
  walk('')
  return { files, skipped }
}
