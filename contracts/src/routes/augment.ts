import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { AugmentEstimate, AugmentPlan, AugmentRun, Budget, FactoryJob } from '../entities/augment.ts'
import { Cursor, Limit, page, Secret } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { ProviderId, ProviderStatus } from '../entities/provider.ts'

const route = routesOf('factory')
const providers = routesOf('providers')
const provider = { params: z.object({ id: ProviderId }), response: ProviderStatus } as const

export const listProviders = providers.get('listProviders', '/api/providers', {
  summary: 'Endpoints that models can be asked at: what is set up, and what is missing',
  response: z.object({
    items: z.array(ProviderStatus),
    augmentation: ProviderId,
    augmentationVariable: z
      .string()
      .nullable()
      .meta({ description: 'the environment variable that chooses it; null: the settings choose' }),
  }),
})
export const setProviderKey = providers.put('setProviderKey', '/api/providers/{id}/key', {
  summary: 'Save a key in a file of the data directory; it is never returned, and in no backup',
  ...provider,
  body: z.object({
    key: Secret,
  }),
  errors: ['settings_read_only', 'confirmation_required'],
})
export const deleteProviderKey = providers.delete('deleteProviderKey', '/api/providers/{id}/key', {
  summary: 'Delete the saved key',
  ...provider,
  errors: ['settings_read_only', 'confirmation_required'],
})

const budget = {
  budgetUsd: Budget.shape.usd.meta({ description: 'only if the price of the model is known' }),
  budgetTokens: Budget.shape.tokens.meta({ description: 'read and written together' }),
}

export const estimateSynthetic = route.post('estimateSynthetic', '/api/factory/synthetic/estimate', {
  summary: 'What asking for tasks or variants would send and cost; nothing is sent',
  body: AugmentPlan,
  response: AugmentEstimate,
  errors: ['provider_unavailable', 'nothing_to_augment', 'archive_damaged'],
})
export const generateSynthetic = route.post('generateSynthetic', '/api/factory/synthetic/generate', {
  summary:
    'Ask a model for new tasks like those of examples, or for variants of them, within a budget; `result` of the job is an AugmentRun',
  status: 202,
  body: AugmentPlan.extend(budget),
  response: Job,
  errors: ['provider_unavailable', 'nothing_to_augment', 'budget_needed', 'job_running'],
})
export const listSyntheticRuns = route.get('listSyntheticRuns', '/api/factory/synthetic/runs', {
  summary: 'Runs, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(AugmentRun),
})
export const resumeSynthetic = route.post('resumeSynthetic', '/api/factory/synthetic/runs/{id}/resume', {
  summary: 'Go on with a run that ended early, within its budget or a new one for all of it; what was answered is not asked again',
  status: 202,
  params: z.object({ id: z.string().max(100) }),
  body: z.object(budget),
  response: Job,
  errors: ['augment_run_not_found', 'provider_unavailable', 'budget_needed', 'job_running'],
})
export const getFactoryJob = route.get('getFactoryJob', '/api/factory/jobs/{id}', {
  summary: 'Long work of the factory: what it made, dropped and cost so far',
  params: z.object({ id: z.string().max(100) }),
  response: FactoryJob,
  errors: ['job_not_found'],
})
