import fs from 'node:fs'
import path from 'node:path'

/** The real path of a file if it exists inside `folder` after following links, else null. */
export function realPathInside(folder: string, file: string): string | null {
  if (!path.isAbsolute(file) || !fs.existsSync(file)) return null
  const realPath = fs.realpathSync(file)
  const relative = path.relative(fs.realpathSync(folder), realPath)
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative) ? null : realPath
}
