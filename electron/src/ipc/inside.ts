import fs from 'node:fs'
import path from 'node:path'

/** The real path of `wanted` if it exists inside `folder` (links followed), else null. */
export function placeInside(folder: string, wanted: string): string | null {
  if (!path.isAbsolute(wanted) || !fs.existsSync(wanted)) return null
  const place = fs.realpathSync(wanted)
  const way = path.relative(fs.realpathSync(folder), place)
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way) ? null : place
}
