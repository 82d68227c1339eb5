import fs from 'node:fs'
import path from 'node:path'

/**
 * The real path of a file if it exists inside `folder` after following links, else null. A program that swaps a folder after
 * this can only change which folder the file manager shows: nothing is read or opened here.
 */
export function realPathInside(folder: string, file: string): string | null {
  if (!path.isAbsolute(file)) return null
  const [real, root] = [realPathOf(file), realPathOf(folder)]
  if (real === null || root === null) return null
  const relative = path.relative(root, real)
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative) ? null : real
}

function realPathOf(place: string): string | null {
  try {
    return fs.realpathSync(place)
  } catch {
    return null // it does not exist, or no longer
  }
}
