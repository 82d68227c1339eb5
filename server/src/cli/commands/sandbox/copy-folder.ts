import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { UsageError } from '../../command.ts'
import type { Sandboxes } from './sandboxes.ts'

const MAX_FILES = 10_000
const MAX_BYTES = 256 * 1024 * 1024
/** A request holds 10 MB, and base64 takes a third more. */
const MAX_OF_ONE = 6 * 1024 * 1024
const AT_ONCE = 4

export interface Copied {
  files: number
  bytes: number
  /** Links, sockets and files that are too large, by their path in the folder. */
  left: string[]
}

/** Copies the regular files of `folder` to `target` in a running sandbox. */
export async function copyFolder(sandboxes: Sandboxes, id: string, folder: string, target: string): Promise<Copied> {
  const { putFile } = sandboxes
  if (!putFile) throw new UsageError('--mount-copy needs a Bash Gym server: the bare service takes no files.')
  const { files, left } = filesOf(folder)
  let bytes = 0
  const rest = [...files]
  const copy = async () => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
      const file = path.join(folder, one)
      const content = await fs.promises.readFile(file)
      const mode = (await fs.promises.stat(file)).mode & 0o777
      bytes += content.length
      await putFile(id, { path: path.posix.join(target, one), content: content.toString('base64'), encoding: 'base64', mode })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, copy))
  return { files: files.length, bytes, left }
}

/** Counted before anything is copied. */
function filesOf(folder: string): { files: string[]; left: string[] } {
  const files: string[] = []
  const left: string[] = []
  let bytes = 0
  const walk = (inner: string) => {
    for (const entry of fs.readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const name = path.posix.join(inner, entry.name)
      if (entry.isDirectory()) {
        walk(name)
        continue
      }
      const size = entry.isFile() ? fs.statSync(path.join(folder, name)).size : null
      if (size === null || size > MAX_OF_ONE) {
        left.push(name)
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
  return { files, left }
}
