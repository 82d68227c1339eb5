import fs from 'node:fs'
import path from 'node:path'
import type { KnownTokenizer } from '#contracts/entities/preview.ts'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, readLinked } from '#server/foreign/index.ts'

/** Tokenizers on this machine: folders of the settings, models trained here, and the Hub client's cache. */
export function knownTokenizers(places: { named: readonly string[]; hubCache: string; models: string }): KnownTokenizer[] {
  const fromSettings = places.named.map((folder) => describe(folder, path.basename(folder), 'setting'))
  const cached = list(places.hubCache).flatMap((repo) => {
    const name = /^models--(.+)$/.exec(repo)?.[1]?.replaceAll('--', '/')
    if (name === undefined) return []
    const snapshots = path.join(places.hubCache, repo, 'snapshots')
    return list(snapshots)
      .map((revision) => path.join(snapshots, revision))
      .filter(isTokenizer)
      .map((folder) => describe(folder, name, 'hub-cache'))
  })
  const trained = list(places.models)
    .map((run) => path.join(places.models, run))
    .filter(isTokenizer)
    .map((folder) => describe(folder, path.basename(folder), 'models'))
  return [...fromSettings, ...trained, ...cached]
}

/**
 * The tokenizer of a recipe's base model, which is a folder or the name of a known tokenizer; null if the name is unknown.
 * Throws `tokenizer_invalid` for a folder without a readable tokenizer.
 */
export function tokenizerOf(baseModel: string, listTokenizers: () => readonly KnownTokenizer[]): { folder: string; name: string } | null {
  if (path.isAbsolute(baseModel)) {
    const problem = problemOf(baseModel)
    if (problem === null) return { folder: baseModel, name: path.basename(baseModel) }
    throw new AppError('tokenizer_invalid', { message: problem, hint: 'Choose a folder with tokenizer.json and tokenizer_config.json.' })
  }
  const tokenizer = listTokenizers().find(({ name, problem }) => name === baseModel && problem === null)
  return tokenizer ? { folder: tokenizer.path, name: tokenizer.name } : null
}

const MAX_BYTES = 256 * 1024 * 1024

const isTokenizer = (folder: string) => fs.existsSync(path.join(folder, 'tokenizer.json'))

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder).toSorted()
  } catch {
    return [] // missing or not readable
  }
}

/** Why a folder cannot be used as a tokenizer; null if it can. */
export function problemOf(folder: string): string | null {
  if (!path.isAbsolute(folder)) return `${folder} is not an absolute path.`
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) {
    const file = path.join(folder, name)
    try {
      const value: unknown = JSON.parse(readLinked(folder, name, MAX_BYTES))
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${file} does not contain a JSON object.`
    } catch (error) {
      if (!(error instanceof ForeignFileError)) return `${file} cannot be read: it is not valid JSON.` // the parser's reason quotes the file
      return error.code === 'missing' ? `There is no ${name} in ${folder}.` : `${file} cannot be read: it ${error.reason}.`
    }
  }
  return null
}

function describe(folder: string, name: string, from: KnownTokenizer['from']): KnownTokenizer {
  const problem = problemOf(folder)
  return { name, path: folder, from, hasTemplate: problem === null && hasTemplate(folder), problem }
}

function hasTemplate(folder: string): boolean {
  if (fs.existsSync(path.join(folder, 'chat_template.jinja'))) return true
  const config = JSON.parse(readLinked(folder, 'tokenizer_config.json', MAX_BYTES)) as { chat_template?: unknown } // checked by problemOf
  return Boolean(config.chat_template)
}
