import type { HubShellTasks } from '#contracts/entities/shell-task.ts'
import { AppError } from '#contracts/errors.ts'
import { blobFile, dataSetId, distinct, download, type Endpoint, freeBytes, presentBytes, repoFiles, type RepoFile, repoFolder, repoInfo } from '#server/adapters/hub/index.ts' // prettier-ignore
import type { JobContext } from '#server/jobs/jobs.ts'

/** The hub, and the folder of downloads. `open` throws `hub_not_set_up`. */
export interface HubOfTasks {
  open: () => Endpoint
  folder: () => string
}

interface HubSet {
  id: string
  ref: string
  split: string
}

/** Describes what an import of a data set would fetch. Throws the errors of `repoInfo`. */
export async function lookUpSet(hub: HubOfTasks, { id, ref, split }: HubSet, signal: AbortSignal): Promise<HubShellTasks> {
  const [endpoint, repo] = [hub.open(), dataSetId(id)]
  const { revision, license, gated, private: isPrivate } = await repoInfo(endpoint, repo, ref, signal)
  const { files, leftOut, problem } = filesOfSplit(await repoFiles(endpoint, repo, revision, signal), split)
  const bytes = distinct(files).reduce((sum, file) => sum + file.bytes, 0)
  const bytesHere = await presentBytes(repoFolder(hub.folder(), repo), distinct(files))
  const free = await freeBytes(hub.folder()).catch(() => null)
  return {
    id,
    revision,
    page: `${endpoint.address}/${repo}`,
    license,
    gated,
    private: isPrivate,
    files: files.map((file) => ({ path: file.path, bytes: file.bytes })),
    leftOut: leftOut.map(({ path }) => path),
    bytes,
    bytesHere,
    problem: problem ?? (free !== null && bytes - bytesHere > free ? 'There is not enough free space in the folder for downloads.' : null),
  }
}

/** Downloads the files of a split into the cache, and returns where each of them is. */
export async function fetchSet(hub: HubOfTasks, set: HubSet & { revision: string }, { signal, progress }: JobContext) {
  const [endpoint, id] = [hub.open(), dataSetId(set.id)]
  const { files, problem } = filesOfSplit(await repoFiles(endpoint, id, set.revision, signal), set.split)
  if (problem !== null) throw new AppError('invalid_request', { message: `${set.id}: ${problem}` })
  const cache = hub.folder()
  await download(
    { endpoint, cache, id, ref: set.ref, revision: set.revision, files },
    {
      signal,
      progress: ({ files: done, ofFiles: total, bytes, ofBytes, initialBytes }) =>
        progress({ phase: 'downloading', done, total, unit: 'files', bytesDone: bytes, bytesTotal: ofBytes, before: initialBytes }),
    },
  )
  return files.map((file) => ({ name: file.path, file: blobFile(repoFolder(cache, id), file) }))
}

const ROWS = /\.(?:jsonl|ndjson|parquet)$/i
const JSON_ROWS = /\.json$/i
/** Descriptions that libraries write beside the rows. */
const DESCRIPTIONS = /(?:^|\/)(?:dataset_infos?|dataset_dict|state|config|metadata)\.json$/i
/** The parts of a data set, by the words that its libraries look for in the names of folders and files. */
const PARTS = [
  ['train', 'train|training'],
  ['validation', 'validation|valid|val|dev'],
  ['test', 'test|testing|eval|evaluation|heldout'],
] as const

const partOf = (name: string): string | null =>
  PARTS.find(([, words]) => new RegExp(String.raw`(?:^|[/._\s-])(?:${words})(?:$|[/._\s-])`, 'i').test(name))?.[0] ?? null

/** The files for a split: those of the part with its name, else those of no part, else those of the only part. */
function filesOfSplit(all: readonly RepoFile[], split: string): { files: RepoFile[]; leftOut: RepoFile[]; problem: string | null } {
  const listed = all.filter(({ path }) => ROWS.test(path))
  const rows = listed.length > 0 ? listed : all.filter(({ path }) => JSON_ROWS.test(path) && !DESCRIPTIONS.test(path))
  if (rows.length === 0) return { files: [], leftOut: [], problem: 'It has no JSON lines, JSON or Parquet file with rows.' }
  const parts = Map.groupBy(rows, ({ path }) => partOf(path))
  const wanted = partOf(split)
  const only = parts.size === 1 && wanted === null ? rows : undefined
  const files = (wanted === null ? undefined : parts.get(wanted)) ?? parts.get(null) ?? only
  if (files) return { files, leftOut: rows.filter((one) => !files.includes(one)), problem: null }
  const names = [...parts.keys()].join(', ')
  return { files: [], leftOut: rows, problem: `It has no files for the split "${split}". Name the split after one of its parts: ${names}.` }
}
