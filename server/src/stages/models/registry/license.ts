import fs from 'node:fs'
import path from 'node:path'
import { isGguf } from './base.ts'

const HEAD = /^---\r?\n([\s\S]*?)\r?\n---/
const LICENSE = /^license:\s*["']?([\w.+-]+)["']?\s*$/m

/** The licence in the front matter of a model's README, which is in its folder or next to its GGUF file; null if there is none. */
export function licenseOf(model: string): string | null {
  const file = path.join(isGguf(model) ? path.dirname(model) : model, 'README.md')
  if (!fs.existsSync(file)) return null
  const head = HEAD.exec(fs.readFileSync(file, 'utf8'))?.[1]
  return (head && LICENSE.exec(head)?.[1]) ?? null
}
