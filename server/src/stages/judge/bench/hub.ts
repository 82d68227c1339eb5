import fs from 'node:fs'
import type { BenchmarkFetched } from '#contracts/entities/benchmark.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import { download, type Endpoint, fetchedRevision, repoFiles, repoFolder, repoInfo, snapshotFolder } from '#server/adapters/hub/index.ts'
import type { Core } from '#server/core.ts'
import type { About, PartOf } from './sets/types.ts'

export interface HubAccess {
  open: () => Endpoint
  /** The cache of the hub's libraries. */
  folder: () => string
}

const BRANCH = 'main'

/** Sets of the model hub, in the cache of its libraries. */
export function createHubSets({ jobs }: Pick<Core, 'jobs'>, { open, folder }: HubAccess) {
  const repoOf = ({ hub }: About): string => repoFolder(folder(), `datasets/${hub}`)
  /** The pinned revision, or the one that was fetched last; null if none was. */
  const revisionOf = (about: About): string | null => about.revision ?? fetchedRevision(repoOf(about), BRANCH)
  return {
    revisionOf,
    /** Where a fetched set is; null if nothing was fetched. */
    folderOf(about: About): string | null {
      const revision = revisionOf(about)
      const place = revision === null ? null : snapshotFolder(repoOf(about), revision)
      return place !== null && fs.existsSync(place) ? place : null
    },
    fetch(about: About, part: PartOf): Job {
      const id = `datasets/${about.hub}`
      return jobs.start(
        'benchmark-fetch',
        async ({ signal, progress }): Promise<BenchmarkFetched> => {
          const endpoint = open()
          const cache = folder()
          const revision = about.revision ?? (await repoInfo(endpoint, id, BRANCH, signal)).revision
          const all = await repoFiles(endpoint, id, revision, signal)
          const files = all.filter((file) => part.files.includes(file.path))
          if (files.length !== part.files.length)
            throw new AppError('hub_bad_answer', {
              message: `${about.hub} has no ${part.files.join(' or ')} at revision ${revision}.`,
              hint: 'Name a folder with the files instead.',
            })
          const at = await download(
            { endpoint, cache, id, ref: BRANCH, revision, files },
            {
              signal,
              progress: ({ files: done, ofFiles, bytes, ofBytes, initialBytes }) =>
                progress({
                  phase: 'downloading',
                  done,
                  total: ofFiles,
                  unit: 'files',
                  bytesDone: bytes,
                  bytesTotal: ofBytes,
                  before: initialBytes,
                }),
            },
          )
          return { benchmark: about.name, part: part.name, path: at, revision, bytes: files.reduce((total, { bytes }) => total + bytes, 0) }
        },
        { single: true },
      )
    },
  }
}
