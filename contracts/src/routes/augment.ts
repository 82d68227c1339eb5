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
  summary: 'Model providers: what is set up and what is missing',
  response: z.object({
    items: z.array(ProviderStatus),
    augmentation: ProviderId,
    augmentationVariable: z.string().nullable().meta({ description: 'the environment variable that selects it; null if the settings do' }),
  }),
})
export const setProviderKey = providers.put('setProviderKey', '/api/providers/{id}/key', {
  summary: 'Save a key in a file of the data directory; it is never returned or backed up',
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
  budgetTokens: Budget.shape.tokens.meta({ description: 'input and output together' }),
}

export const estimateSynthetic = route.post('estimateSynthetic', '/api/factory/synthetic/estimate', {
  summary: 'What a request for tasks or variants would send and cost; nothing is sent',
  body: AugmentPlan,
  response: AugmentEstimate,
  errors: ['provider_unavailable', 'nothing_to_augment', 'archive_damaged'],
})
export const generateSynthetic = route.post('generateSynthetic', '/api/factory/synthetic/generate', {
  summary: 'Let a model write new tasks similar to examples, or variants of them, within a budget; `result` of the job is an AugmentRun',
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
  summary: 'Resume a run that ended early, within its budget or a new total budget; answered requests are not sent again',
  status: 202,
  params: z.object({ id: z.string().max(100) }),
  body: z.object(budget),
  response: Job,
  errors: ['augment_run_not_found', 'provider_unavailable', 'budget_needed', 'job_running'],
})
export const getFactoryJob = route.get('getFactoryJob', '/api/factory/jobs/{id}', {
  summary: 'A job of the factory: what it produced, rejected and cost so far',
  params: z.object({ id: z.string().max(100) }),
  response: FactoryJob,
  errors: ['job_not_found'],
})
