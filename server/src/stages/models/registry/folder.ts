import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ModelFormat, Quantization } from '#contracts/entities/model.ts'

const WORK_FOLDER = '.exporting-'
const REMOVED = '.removed-'

/** Folder below the run's in which the trainer saves the adapter or the full model. */
export const FINAL = 'final'
/** The model card. */
export const CARD = 'README.md'

/** Id of an export, which is also the name of its folder below the run's. */
export const artifactId = (format: ModelFormat, quantization: Quantization | null): string =>
  quantization === null ? format : `${format}-${quantization}`

/** A new private folder in which an export is made. */
export function makeWorkFolder(folder: string): string {
  const part = path.join(folder, WORK_FOLDER + randomBytes(8).toString('hex'))
  fs.mkdirSync(part, { mode: 0o700 })
  return part
}

/** Moves a finished export to its place, and replaces an older one. */
export function moveIntoPlace(finished: string, place: string): void {
  const old = fs.existsSync(place) ? setAside(place) : null
  fs.renameSync(finished, place)
  if (old !== null) fs.rmSync(old, { recursive: true, force: true })
}

/** Renames a file or folder before its removal. The next sweep completes or undoes the removal if the process is killed. */
export function setAside(place: string): string {
  const aside = path.join(path.dirname(place), REMOVED + path.basename(place))
  fs.rmSync(aside, { recursive: true, force: true })
  fs.renameSync(place, aside)
  return aside
}

/** Cleans up after a killed process: removes unfinished exports, and restores set-aside files that `known` names or removes them. */
export function sweepFolder(folder: string, known: ReadonlySet<string> = new Set()): void {
  if (!fs.existsSync(folder)) return
  for (const entry of fs.readdirSync(folder)) {
    const place = path.join(folder, entry)
    const name = entry.startsWith(REMOVED) ? entry.slice(REMOVED.length) : null
    if (name !== null && known.has(name) && !fs.existsSync(path.join(folder, name))) fs.renameSync(place, path.join(folder, name))
    else if (name !== null || entry.startsWith(WORK_FOLDER)) fs.rmSync(place, { recursive: true, force: true })
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
