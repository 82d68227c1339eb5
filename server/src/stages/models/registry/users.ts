import type { Serving } from '#contracts/entities/model.ts'
import { AppError } from '#contracts/errors.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { isWithin } from '#server/within.ts'
import type { ModelRow, ModelStore } from '../store.ts'

export const EXPORT_JOB = 'model-export'

export interface UsageDeps {
  store: Pick<ModelStore, 'childrenOf'>
  jobs: Pick<Jobs, 'list'>
  /** Names of unfinished runs whose base model or teacher is at this path or below it. */
  runsReading: (place: string) => string[]
  /** The loaded models. */
  serving: () => readonly Pick<Serving, 'modelId' | 'artifact'>[]
}

/** Throws `model_in_use` if anything reads the files at `place` or below it. With `artifact`, only that artifact is to be deleted. */
export function requireUnused(
  { store, jobs, runsReading, serving }: UsageDeps,
  { id, name }: ModelRow,
  place: string,
  artifact?: string,
): void {
  const isLoaded = serving().some((one) => one.modelId === id && (artifact === undefined || one.artifact === artifact))
  const isExporting = jobs.list({ kinds: [EXPORT_JOB], subject: id, limit: 1 }).items[0]?.state === 'running'
  const users = [
    ...store.childrenOf(id).flatMap((child) => (isWithin(place, child.basePath) ? `${child.name} was trained from it` : [])),
    ...runsReading(place).map((run) => `the run “${run}” trains from it`),
    ...(isExporting ? ['an export of this model is in progress'] : []),
    ...(isLoaded ? ['it is loaded in Try it'] : []),
  ]
  if (users.length === 0) return
  const what = artifact === undefined ? name : `${artifact} of ${name}`
  throw new AppError('model_in_use', { message: `${what} cannot be deleted: ${users.join('; ')}.`, hint: 'Delete or stop these first.' })
}
