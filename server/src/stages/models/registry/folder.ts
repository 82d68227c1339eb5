import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ModelFormat, Quantization } from '#contracts/entities/model.ts'

const PART = '.exporting-'
const REMOVED = '.removed-'

/** What the trainer leaves in the folder of a run: the adapter, or the whole model. */
export const FINAL = 'final'
/** The model card, beside the exports. */
export const CARD = 'README.md'

/** Id of an export, which is its place below the folder of the run too. */
export const artifactId = (format: ModelFormat, quantization: Quantization | null): string =>
  quantization === null ? format : `${format}-${quantization}`

/** A new private folder in which an export is made. */
export function makePart(folder: string): string {
  const part = path.join(folder, PART + randomBytes(8).toString('hex'))
  fs.mkdirSync(part, { mode: 0o700 })
  return part
}

/** Puts what was made in its place; what stood there goes. */
export function settle(made: string, place: string): void {
  const old = fs.existsSync(place) ? setAside(place) : null
  fs.renameSync(made, place)
  if (old !== null) fs.rmSync(old, { recursive: true, force: true })
}

/** Takes a file or folder out of its place in one step; the next sweep ends it, or takes it back. */
export function setAside(place: string): string {
  const aside = path.join(path.dirname(place), REMOVED + path.basename(place))
  fs.rmSync(aside, { recursive: true, force: true })
  fs.renameSync(place, aside)
  return aside
}

/** What a killed process left: exports half made go; what was set aside goes too, or back into its place where `known` still names it. */
export function sweepFolder(folder: string, known: ReadonlySet<string> = new Set()): void {
  if (!fs.existsSync(folder)) return
  for (const entry of fs.readdirSync(folder)) {
    const place = path.join(folder, entry)
    const name = entry.startsWith(REMOVED) ? entry.slice(REMOVED.length) : null
    if (name !== null && known.has(name) && !fs.existsSync(path.join(folder, name))) fs.renameSync(place, path.join(folder, name))
    else if (name !== null || entry.startsWith(PART)) fs.rmSync(place, { recursive: true, force: true })
  }
}

/** A name that is safe in a path. */
export const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60)
    .toLowerCase() || 'model'
