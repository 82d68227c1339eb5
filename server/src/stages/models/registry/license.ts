import fs from 'node:fs'
import path from 'node:path'
import { licenseIn } from '#server/adapters/hub/license.ts'
import { isGguf } from './base.ts'

/** The licence in the front matter of a model's README, which is in its folder or next to its GGUF file; null if there is none. */
export function licenseOf(model: string): string | null {
  const file = path.join(isGguf(model) ? path.dirname(model) : model, 'README.md')
  return fs.existsSync(file) ? licenseIn(fs.readFileSync(file, 'utf8')) : null
}
