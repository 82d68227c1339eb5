import fs from 'node:fs'
import path from 'node:path'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants // Windows lacks the last ones, which counts as 0
/** Opens a folder that may only be passed through; Node has no name for it. */
export const O_PATH = 0o10000000

/**
 * Opens a file for reading by a path without links that was judged by itself. A link that took the place of a part of it is
 * not followed, and a FIFO not waited for. Throws the system's error; the caller closes the file. Synchronous, for workers.
 */
export function openJudgedFile(file: string): number {
  if (process.platform !== 'linux') {
    if (fs.realpathSync(file) !== path.resolve(file)) throw Object.assign(new Error(`${file} is below a link`), { code: 'ELOOP' })
    return fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }
  const parts = ['/', ...path.resolve(file).split('/').filter(Boolean)]
  let above: number | null = null
  try {
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1
      const place: string = above === null ? part : `/proc/self/fd/${above}/${part}`
      const next = fs.openSync(place, isLast ? O_RDONLY | O_NOFOLLOW | O_NONBLOCK : O_PATH | O_DIRECTORY | O_NOFOLLOW)
      if (above !== null) fs.closeSync(above)
      above = next
    }
    return above!
  } catch (error) {
    if (above !== null) fs.closeSync(above)
    throw error
  }
}
