import fs from 'node:fs'
import path from 'node:path'
import { readLinked } from '#server/foreign/index.ts'
import type { FoundModel } from './found-model.ts'

const IMAGE = 'application/vnd.ollama.image.model'
const DIGEST = /^sha256:([0-9a-f]{64})$/
/** Folder levels between `manifests` and the file of a tag: registry, owner, name. */
const DEPTH = 3
const MAX_FILES = 1000
const MAX_MANIFEST_BYTES = 1 << 20

/** Models that Ollama has pulled. Each tag has a manifest with the hash of its GGUF file. */
export function ollamaModels(folder: string): FoundModel[] {
  const manifests = path.join(folder, 'manifests')
  return filesBelow(manifests, DEPTH).slice(0, MAX_FILES).flatMap((file): FoundModel[] => {
    const hash = modelHashOf(file)
    if (hash === null) return []
    const place = path.join(folder, 'blobs', `sha256-${hash}`)
    const [owner = '', name = '', tag = ''] = path.relative(manifests, file).split(path.sep).slice(-3)
    const id = `ollama/${owner === 'library' ? '' : `${owner}/`}${name}:${tag}`
    return fs.existsSync(place) ? [{ id, path: place, source: 'ollama', revision: hash }] : []
  }) // prettier-ignore
}

function modelHashOf(file: string): string | null {
  try {
    const { layers = [] } = JSON.parse(readLinked(path.dirname(file), path.basename(file), MAX_MANIFEST_BYTES)) as {
      layers?: { mediaType?: unknown; digest?: unknown }[]
    }
    const image = layers.find(({ mediaType }) => mediaType === IMAGE)
    return DIGEST.exec(String(image?.digest))?.[1] ?? null
  } catch {
    return null // not a manifest, or not readable
  }
}

function filesBelow(folder: string, depth: number): string[] {
  let entries: fs.Dirent[]
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // missing or not readable
  }
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const place = path.join(folder, entry.name)
      if (entry.isDirectory()) return depth > 0 ? filesBelow(place, depth - 1) : []
      return entry.isFile() && depth === 0 ? [place] : []
    })
}
