import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { readLinkedOrNull } from '#server/foreign/index.ts'
import type { FoundModel } from './found-model.ts'
import { isGguf } from './gguf.ts'
import { ollamaModels } from './ollama.ts'

/** Where base models are looked for. */
export interface ModelPlaces {
  /** Caches with the layout of the Hub's libraries. */
  hubCaches: readonly string[]
  ollama: string
  lmStudio: readonly string[]
  /** Folders that the user named as models. One without a model is ignored. */
  named: readonly string[]
  /** The user's folders that are searched for model folders and GGUF files. Each may also be a model itself. */
  shelves: readonly string[]
  /** Folder of the runs, whose merged or fully trained results can be trained further. */
  runs: string
}

/** Limits of the search, because a user's folder may contain anything. */
const DEPTH = 3
const MAX_FOLDERS = 1000
const MAX_REF_BYTES = 1024

/** Every model in the known places. */
export function findModels({ hubCaches, ollama, lmStudio, named, shelves, runs }: ModelPlaces): FoundModel[] {
  const folders = new Set([...named.filter(hasConfig), ...shelves.flatMap(modelsBelow)])
  const fromRuns = namesIn(runs).flatMap((run) =>
    ['merged', 'final']
      .map((part) => path.join(runs, run, part))
      .filter(hasConfig)
      .slice(0, 1)
      .map((folder): FoundModel => ({ id: folder, path: folder, source: 'own', revision: null })),
  )
  return [
    ...Array.from(folders, userModel),
    ...fromRuns,
    ...hubCaches.flatMap((cache) => namesIn(cache).flatMap((repo) => modelsOfRepo(cache, repo))),
    ...ollamaModels(ollama),
    ...lmStudio.flatMap((shelf) => modelsBelow(shelf).map((place): FoundModel => ({ ...userModel(place), source: 'lm-studio' }))),
  ]
}

const userModel = (place: string): FoundModel => ({ id: place, path: place, source: 'folder', revision: null })

/** Models in a folder and below it, the least nested first. */
function modelsBelow(shelf: string): string[] {
  if (!path.isAbsolute(shelf)) return [] // a relative path is ambiguous here
  if (isGguf(shelf)) return isFile(shelf) ? [shelf] : []
  const found: string[] = []
  let level = [shelf]
  let visited = 0
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
    const next: string[] = []
    for (const folder of level.slice(0, MAX_FOLDERS - visited)) {
      visited += 1
      found.push(...ggufsIn(folder))
      if (hasConfig(folder)) found.push(folder)
      else next.push(...foldersIn(folder))
    }
    level = next
  }
  return found
}

function modelsOfRepo(hubCache: string, repo: string): FoundModel[] {
  const id = /^models--(.+)$/.exec(repo)?.[1]?.replaceAll('--', '/')
  if (id === undefined) return []
  const snapshots = path.join(hubCache, repo, 'snapshots')
  const main = revisionOf(path.join(hubCache, repo))
  const found = namesIn(snapshots).flatMap((revision) => {
    const folder = path.join(snapshots, revision)
    const files = ggufsIn(folder)
    return hasConfig(folder) || files.length > 0 ? [{ revision, folder, files }] : []
  })
  const chosen = found.find(({ revision }) => revision === main) ?? found.at(-1)
  if (!chosen) return []
  const { revision, folder, files } = chosen
  const common = { source: 'hub-cache' as const, revision }
  const hasWholeModel = hasConfig(folder) && (files.length === 0 || hasSafetensors(folder))
  return [
    ...(hasWholeModel ? [{ id, path: folder, ...common }] : []),
    ...files.map((file) => ({ id: `${id}/${path.basename(file)}`, path: file, ...common })),
  ]
}

/** The base model that a request names. Throws `base_model_not_found`. */
export function requireModel(name: string, places: ModelPlaces): FoundModel {
  if (path.isAbsolute(name)) {
    if (isGguf(name) ? isFile(name) : hasConfig(name)) return userModel(name)
    throw new AppError('base_model_not_found', {
      message: isGguf(name) ? `There is no file ${name}.` : `There is no model in ${name}: it has no config.json.`,
      hint: 'Choose a folder with config.json, tokenizer.json and the weights, or a GGUF file.',
    })
  }
  const found = findModels(places).find(({ id }) => id === name)
  if (found) return found
  throw new AppError('base_model_not_found', {
    message: `${name} is not on this machine.`,
    hint: `Download it under Settings → Models or with \`bashgym models pull ${name}\`, or choose a folder.`,
  })
}

const hasConfig = (folder: string) => fs.existsSync(path.join(folder, 'config.json'))
const hasSafetensors = (folder: string) => namesIn(folder).some((name) => name.endsWith('.safetensors'))
const isFile = (place: string) => fs.statSync(place, { throwIfNoEntry: false })?.isFile() ?? false
const ggufsIn = (folder: string) => namesIn(folder).filter(isGguf).map((name) => path.join(folder, name)).filter(isFile) // prettier-ignore

function foldersIn(folder: string): string[] {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => path.join(folder, name)).toSorted() // prettier-ignore
  } catch {
    return []
  }
}

const revisionOf = (repo: string): string | null => readLinkedOrNull(repo, 'refs/main', MAX_REF_BYTES)?.trim() ?? null

/** Sorted names in a folder; none if it is missing or not readable. */
export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
