import { z } from 'zod'
import { route } from '../derive/route.ts'
import { AugmentEstimate, AugmentPlan, AugmentRun, Budget, FactoryJob } from '../entities/augment.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { ProviderId, ProviderStatus } from '../entities/provider.ts'

const group = 'factory'
const provider = { group: 'providers', params: z.object({ id: ProviderId }), response: ProviderStatus } as const

export const listProviders = route({
  name: 'listProviders',
  group: 'providers',
  method: 'get',
  path: '/api/providers',
  summary: 'Endpoints that models can be asked at: what is set up, and what is missing',
  response: z.object({
    items: z.array(ProviderStatus),
    augmentation: ProviderId,
    augmentationVariable: z.string().nullable().meta({ description: 'the environment variable that chooses it; null: the settings do' }),
  }),
  errors: [],
})
export const setProviderKey = route({
  ...provider,
  name: 'setProviderKey',
  method: 'put',
  path: '/api/providers/{id}/key',
  summary: 'Keep a key in a file of the data directory; it is never told again, and in no backup',
  body: z.object({
    key: z
      .string()
      .trim()
      .min(8)
      .max(500)
      .regex(/^[\x21-\x7e]+$/, 'a key has neither blanks nor letters beyond ASCII'),
  }),
  errors: ['settings_read_only', 'confirmation_required'],
})
export const deleteProviderKey = route({
  ...provider,
  name: 'deleteProviderKey',
  method: 'delete',
  path: '/api/providers/{id}/key',
  summary: 'Forget the key that was kept',
  errors: ['settings_read_only', 'confirmation_required'],
})

const budget = {
  budgetUsd: Budget.shape.usd.meta({ description: 'only where the price of the model is known' }),
  budgetTokens: Budget.shape.tokens.meta({ description: 'read and written together' }),
}

export const estimateSynthetic = route({
  name: 'estimateSynthetic',
  group,
  method: 'post',
  path: '/api/factory/synthetic/estimate',
  summary: 'What asking for tasks or variants would send and cost; nothing is sent',
  body: AugmentPlan,
  response: AugmentEstimate,
  errors: ['provider_unavailable', 'nothing_to_augment', 'archive_damaged'],
})
export const generateSynthetic = route({
  name: 'generateSynthetic',
  group,
  method: 'post',
  path: '/api/factory/synthetic/generate',
  summary:
    'Ask a model for new tasks like those of examples, or for variants of them, within a budget; `result` of the job is an AugmentRun',
  status: 202,
  body: AugmentPlan.extend(budget),
  response: Job,
  errors: ['provider_unavailable', 'nothing_to_augment', 'budget_needed', 'job_running'],
})
export const listSyntheticRuns = route({
  name: 'listSyntheticRuns',
  group,
  method: 'get',
  path: '/api/factory/synthetic/runs',
  summary: 'Runs, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(AugmentRun),
  errors: [],
})
export const resumeSynthetic = route({
  name: 'resumeSynthetic',
  group,
  method: 'post',
  path: '/api/factory/synthetic/runs/{id}/resume',
  summary: 'Go on with a run that ended early, within its budget or a new one for all of it; what was answered is not asked again',
  status: 202,
  params: z.object({ id: z.string().max(100) }),
  body: z.object(budget),
  response: Job,
  errors: ['augment_run_not_found', 'provider_unavailable', 'budget_needed', 'job_running'],
})
export const getFactoryJob = route({
  name: 'getFactoryJob',
  group,
  method: 'get',
  path: '/api/factory/jobs/{id}',
  summary: 'Long work of the factory: what it made, dropped and cost so far',
  params: z.object({ id: z.string().max(100) }),
  response: FactoryJob,
  errors: ['job_not_found'],
})
