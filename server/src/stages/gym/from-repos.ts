import { DatasetBuilt, DatasetRecipe } from '#contracts/entities/dataset.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError, type ErrorCode, ERRORS } from '#contracts/errors.ts'
import { KIND_OF } from '#contracts/train-on-this.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import type { Core } from '#server/core.ts'

export interface FromReposDeps {
  build: (recipe: DatasetRecipe) => Job
}

/**
 * Builds a data set of the gold sessions of some repositories, or of all, and returns its id. Preferences also need sessions that
 * went wrong, so they use every tier. Throws `run_refused` if nothing could be trained on.
 */
export async function datasetOfRepos(
  jobs: Core['jobs'],
  { build }: FromReposDeps,
  strategy: TrainStrategy,
  repos: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const kind = KIND_OF[strategy]
  const tiers = kind === 'dpo' || kind === 'kto' ? [] : ['gold']
  const job = build(DatasetRecipe.parse({ kind, tiers, ...(repos.length > 0 && { repos }), dropSecretCalls: true }))
  const cancel = () => void jobs.cancel(job.id)
  signal.addEventListener('abort', cancel, { once: true })
  const ended = await jobs.wait(job.id).finally(() => signal.removeEventListener('abort', cancel))
  signal.throwIfAborted()
  if (ended.state !== 'completed') {
    const { code = 'internal', message = `The data set was not built: the job is ${ended.state}.`, hint } = ended.error ?? {}
    throw new AppError(Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'internal', { message, ...(hint ? { hint } : {}) })
  }
  const { id, name, version, counts, excluded } = DatasetBuilt.parse(ended.result)
  if (counts.train > 0) return id
  const reasons = excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  throw new AppError('run_refused', {
    message: `There are no rows to train on in ${name} v${version}.${reasons === '' ? '' : ` Left out: ${reasons}.`}`,
    hint: 'Promote sessions to gold, name other repositories, or build a data set with other tiers.',
  })
}
