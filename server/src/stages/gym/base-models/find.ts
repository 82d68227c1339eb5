import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'

/** Folders in which base models are looked for. */
export interface ModelPlaces {
  hubCache: string
  /** Folders of the user, each of them a model. */
  named: readonly string[]
  /** Runs, whose merged or whole results can be trained further. */
  runs: string
}

export interface FoundModel {
  id: string
  path: string
  source: 'hub-cache' | 'folder' | 'own'
  revision: string | null
}

/** Every folder with a model configuration in the known places. */
export function findModels({ hubCache, named, runs }: ModelPlaces): FoundModel[] {
  const folders = named.filter(hasConfig).map((folder): FoundModel => ({ id: folder, path: folder, source: 'folder', revision: null }))
  const own = list(runs).flatMap((run) =>
    ['merged', 'final']
      .map((part) => path.join(runs, run, part))
      .filter(hasConfig)
      .slice(0, 1)
      .map((folder): FoundModel => ({ id: folder, path: folder, source: 'own', revision: null })),
  )
  const cached = list(hubCache).flatMap((repo) => {
    const id = /^models--(.+)$/.exec(repo)?.[1]?.replaceAll('--', '/')
    if (id === undefined) return []
    const snapshots = path.join(hubCache, repo, 'snapshots')
    const main = revisionOf(path.join(hubCache, repo, 'refs', 'main'))
    const found = list(snapshots).filter((revision) => hasConfig(path.join(snapshots, revision)))
    const revision = found.find((one) => one === main) ?? found.at(-1)
    return revision === undefined ? [] : [{ id, path: path.join(snapshots, revision), source: 'hub-cache' as const, revision }]
  })
  return [...folders, ...own, ...cached]
}

/** The folder of a base model as a request names it. Throws `base_model_not_found`. */
export function requireModel(name: string, places: ModelPlaces): FoundModel {
  if (path.isAbsolute(name)) {
    if (hasConfig(name)) return { id: name, path: name, source: 'folder', revision: null }
    throw new AppError('base_model_not_found', {
      message: `There is no model in ${name}: it has no config.json.`,
      hint: 'Name the folder that holds config.json, tokenizer.json and the weights.',
    })
  }
  const found = findModels(places).find(({ id }) => id === name)
  if (found) return found
  throw new AppError('base_model_not_found', {
    message: `${name} is not on this machine.`,
    hint: `Fetch it with \`hf download ${name}\`, or name a folder. Bash Gym downloads no model by itself.`,
  })
}

const hasConfig = (folder: string) => fs.existsSync(path.join(folder, 'config.json'))

function revisionOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder).toSorted()
  } catch {
    return [] // not there, or not ours to read: nothing is known of it
  }
}
