import fs from 'node:fs'
import path from 'node:path'

/** The folder of the product: two up, both from server/src and from dist/server. */
export const productRoot = (): string => path.resolve(import.meta.dirname, '..', '..')

/** Name and version, from package.json. */
export function productInfo(): { version: string; description: string } {
  const file = path.join(productRoot(), 'package.json')
  return JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string; description: string } // our own file
}
