import { createChanges } from '#server/adapters/git/changes.ts'
import type { GitPlaces } from '#server/adapters/git/index.ts'
import { createUserRepositories } from '#server/adapters/git/user-repository.ts'
import type { Core } from '#server/core.ts'
import { createHandBackService, type Runs } from './service.ts'
import { createReviewStore } from './store.ts'

const jobs = {
  diff: new URL('./diff/diff.job.ts', import.meta.url),
  survey: new URL('./tree/look-at.job.ts', import.meta.url),
  carryOut: new URL('./tree/carry-out.job.ts', import.meta.url),
  rollBack: new URL('./tree/roll-back.job.ts', import.meta.url),
}

/** Connects hand-back to the worker threads and the database of the server. */
export function createTaskHandBack({ workers, db, paths, config, now, log }: Core, runs: Runs) {
  const places: GitPlaces = { path: config.path, userHome: config.userHome }
  const query = (signal?: AbortSignal) => ({ lane: 'query' as const, ...(signal && { signal }) })
  return createHandBackService({
    runs,
    store: createReviewStore(db),
    changes: createChanges(places),
    repositories: createUserRepositories(places),
    work: {
      diff: (input, signal) => workers.run(jobs.diff, input, query(signal)),
      survey: (root, files, signal) => workers.run(jobs.survey, { root, paths: files }, query(signal)),
      carryOut: (input) => workers.run(jobs.carryOut, input, query()),
      rollBack: (folder) => workers.run(jobs.rollBack, folder, query()),
    },
    folder: paths.handBacks,
    dataDirectory: config.dataDir,
    now,
    onLeft: (task, files) => {
      if (files.length > 0)
        log.warn({ task, files }, 'A hand-back was rolled back except for files that were changed since; their previous content is kept')
    },
  })
}
