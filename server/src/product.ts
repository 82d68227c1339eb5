import fs from 'node:fs'
import path from 'node:path'

/** Name and version, from package.json: two folders up, both from server/src and from dist/server. */
export function productInfo(): { version: string; description: string } {
  const file = path.resolve(import.meta.dirname, '..', '..', 'package.json')
  return JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string; description: string } // our own file
}
