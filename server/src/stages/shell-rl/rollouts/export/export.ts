import type { Bytes } from '#contracts/derive/route.ts'
import type { Episode, EpisodeTurn, RolloutExportFormat } from '#contracts/entities/rollout.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import { packFiles } from '#server/stages/checks/index.ts'
import { placeOf } from '../episode-id.ts'
import { systemOf } from '../perform.ts'
import type { RolloutStore, SetRow } from '../store.ts'
import type { TurnFiles } from '../turn-files.ts'
import { atifOf } from './atif.ts'
import { castOf } from './cast.ts'
import { harborJob, harborTrial } from './harbor.ts'
import { artGroup, trlRow, verifiersRow } from './rows.ts'
import type { ExportedEpisode, ExportedSet } from './exported-episode.ts'

interface Files {
  store: RolloutStore
  turnFiles: TurnFiles
  /** The version of Bash Gym. */
  version: string
}

interface File {
  path: string
  text: string
}

/** Exports a set or one episode. Reads one group at a time, because a whole set may not fit in memory. */
export function exportSet(
  { store, turnFiles, version }: Files,
  row: SetRow,
  { format, episode: only }: { format: RolloutExportFormat; episode?: string | undefined },
): Bytes {
  const set: ExportedSet = { id: row.id, name: row.name, model: row.model, policy: row.settings.policy.name, version }
  const loadEpisode = async (episode: Episode): Promise<ExportedEpisode> => {
    const turns: EpisodeTurn[] = []
    for await (const turn of turnFiles.read(row.id, episode.id)) turns.push(turn)
    return { episode, task: store.task(row, episode.group)!, system: systemOf(row.settings.form), turns }
  }
  async function* groups(): AsyncGenerator<ExportedEpisode[]> {
    for (let group = 0; group < row.tasks; group += 1) {
      const episodes = await Promise.all(store.episodesOf(row, group).map(loadEpisode))
      if (episodes.length > 0) yield episodes
    }
  }
  if (only !== undefined) return one({ set, loadEpisode, format }, requireEpisode(store, row, only))
  const rowsOf = {
    art: (episodes: ExportedEpisode[]) => [artGroup(set, episodes)],
    trl: (episodes: ExportedEpisode[]) => episodes.map(trlRow),
    verifiers: (episodes: ExportedEpisode[]) => episodes.map((episode) => verifiersRow(set, episode)),
  }
  if (format === 'art' || format === 'trl' || format === 'verifiers') return jsonLines(row, format, flatten(groups(), rowsOf[format]))
  if (format === 'harbor') return archive(row, format, harborFiles(set, row, groups()))
  const filesOf = (episodes: ExportedEpisode[]) => episodes.map((episode) => fileOf(set, episode, format))
  return archive(row, format, flatten(groups(), filesOf))
}

function one(
  {
    set,
    loadEpisode,
    format,
  }: { set: ExportedSet; loadEpisode: (episode: Episode) => Promise<ExportedEpisode>; format: RolloutExportFormat },
  episode: Episode,
): Bytes {
  if (format !== 'atif' && format !== 'cast')
    throw new AppError('invalid_request', { message: `One episode alone is exported as atif or cast, not as ${format}.`, hint: 'Export the whole set.' }) // prettier-ignore
  const text = async function* () {
    yield Buffer.from(fileOf(set, await loadEpisode(episode), format).text)
  }
  const fileName = format === 'atif' ? `${episode.id}.atif.json` : `${episode.id}.cast`
  return { stream: text(), fileName, contentType: 'application/octet-stream' }
}

const fileOf = (set: ExportedSet, exported: ExportedEpisode, format: 'atif' | 'cast'): File =>
  format === 'atif'
    ? { path: `${exported.episode.id}.atif.json`, text: `${JSON.stringify(atifOf(set, exported), null, 2)}\n` }
    : { path: `${exported.episode.id}.cast`, text: castOf(exported) }

async function* flatten<From, To>(groups: AsyncIterable<From>, of: (group: From) => readonly To[]): AsyncGenerator<To> {
  for await (const group of groups) yield* of(group)
}

async function* harborFiles(set: ExportedSet, row: SetRow, groups: AsyncIterable<ExportedEpisode[]>): AsyncGenerator<File> {
  const inJob = (file: File): File => ({ ...file, path: `jobs/${set.id}/${file.path}` })
  const { counts, createdAt, endedAt } = row
  const of = { total: counts.ended, errors: counts.error + counts.corrupted, startedAt: isoOf(createdAt), finishedAt: isoOf(endedAt) }
  yield* harborJob(set, of).map(inJob)
  for await (const episodes of groups) for (const episode of episodes) yield* harborTrial(set, episode).map(inJob)
}

function jsonLines({ id }: SetRow, format: string, rows: AsyncIterable<unknown>): Bytes {
  const text = async function* () {
    for await (const line of rows) if (line !== null) yield Buffer.from(`${JSON.stringify(line)}\n`)
  }
  return { stream: text(), fileName: `${id}.${format}.jsonl`, contentType: 'application/octet-stream' }
}

function archive({ id }: SetRow, format: string, files: AsyncIterable<File>): Bytes {
  const stream = packFiles(flatten(files, ({ path: name, text }) => [{ name, mode: 0o644, content: text }]))
  return { stream, fileName: `${id}.${format}.tar`, contentType: 'application/octet-stream' }
}

function requireEpisode(store: RolloutStore, row: SetRow, id: string): Episode {
  const place = placeOf(row.id, id)
  const episode = place && store.episode(row, place.group, place.attempt)
  if (!episode) throw new AppError('episode_not_found')
  return episode
}
