import fs from 'node:fs'
import path from 'node:path'

/** The folder with package.json: two levels up, from both server/src and dist/server. */
export const productRoot = (): string => path.resolve(import.meta.dirname, '..', '..')

export function productInfo(): { version: string; description: string } {
  const file = path.join(productRoot(), 'package.json')
  return JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string; description: string } // our own file
}
