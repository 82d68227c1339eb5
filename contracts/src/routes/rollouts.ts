import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, IdempotencyKey, Limit, page } from '../entities/common.ts'
import {
  Episode,
  EpisodeStatus,
  EpisodeTurn,
  RewardPolicy,
  RolloutExportFormat,
  RolloutGroup,
  RolloutPlan,
  RolloutSelection,
  RolloutSet,
  RolloutSetId,
  RolloutSettings,
  RolloutStats,
  RolloutTask,
} from '../entities/rollout.ts'

const route = routesOf('rollouts')
const params = z.object({ id: RolloutSetId })
const EpisodeId = z.string().regex(/^[a-z2-7]{26}-\d{1,6}-\d{1,4}$/)
const asked = z.object({ ...RolloutSettings.shape, ...RolloutSelection.shape, name: z.string().trim().min(1).max(200).optional() })

export const createRollouts = route.post('createRollouts', '/api/rollouts', {
  summary: 'Let a model try shell tasks in sandboxes, each as often as is asked, and reward every attempt',
  body: asked.extend({ idempotencyKey: IdempotencyKey.optional() }),
  response: RolloutSet,
  status: 202,
  errors: ['invalid_request', 'rollouts_refused'],
})
export const planRollouts = route.post('planRollouts', '/api/rollouts/plan', {
  summary: 'What a set of rollouts would be: tasks, episodes, who pays, and why it would not start; nothing is run',
  body: asked,
  response: RolloutPlan,
  errors: ['invalid_request'],
})
export const listRollouts = route.get('listRollouts', '/api/rollouts', {
  summary: 'Sets of rollouts, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(RolloutSet),
})
export const getRollouts = route.get('getRollouts', '/api/rollouts/{id}', {
  summary: 'A set of rollouts, and how far it is; with waitMs not before another episode has ended',
  params,
  query: z.object({
    waitMs: z.coerce.number().int().min(0).max(30_000).default(0),
    ended: z.coerce.number().int().default(0).meta({ description: 'episodes that the caller knows to have ended' }),
  }),
  response: RolloutSet,
  errors: ['rollouts_not_found'],
})
export const getRolloutStats = route.get('getRolloutStats', '/api/rollouts/{id}/stats', {
  summary: 'Success with its interval, also by difficulty; turns, exit codes, rewards and their terms, groups that teach nothing',
  params,
  response: RolloutStats,
  errors: ['rollouts_not_found'],
})
export const listRolloutGroups = route.get('listRolloutGroups', '/api/rollouts/{id}/groups', {
  summary: 'The attempts at each task, with their rewards compared',
  params,
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(RolloutGroup),
  errors: ['rollouts_not_found', 'invalid_request'],
})
export const listEpisodes = route.get('listEpisodes', '/api/rollouts/{id}/episodes', {
  summary: 'Episodes that have ended, task by task',
  params,
  query: z.object({
    group: z.coerce.number().int().min(0).optional(),
    status: EpisodeStatus.optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(Episode),
  errors: ['rollouts_not_found', 'invalid_request'],
})
export const getEpisode = route.get('getEpisode', '/api/rollouts/{id}/episodes/{episodeId}', {
  summary: 'An episode with its task and its turns, also while it is at work',
  params: params.extend({ episodeId: EpisodeId }),
  query: z.object({ after: z.coerce.number().int().min(0).default(0), limit: z.coerce.number().int().min(1).max(1000).default(200) }),
  response: z.object({
    episode: Episode.nullable().meta({ description: 'null: it has not ended' }),
    task: RolloutTask,
    system: z.string().meta({ description: 'what the model was told first; the task is the first message of the user' }),
    turns: z.array(EpisodeTurn).meta({ description: 'those after the number that was given' }),
    isWhole: z.boolean().meta({ description: 'false: there are turns after these' }),
    sandboxId: z.string().nullable().meta({ description: 'while it is running' }),
  }),
  errors: ['rollouts_not_found', 'episode_not_found'],
})
export const cancelRollouts = route.post('cancelRollouts', '/api/rollouts/{id}/cancel', {
  summary: 'Stop a set; answers once nothing of it is running. Episodes that have ended stay',
  params,
  response: RolloutSet,
  errors: ['rollouts_not_found'],
})
export const resumeRollouts = route.post('resumeRollouts', '/api/rollouts/{id}/resume', {
  summary: 'Go on with a set: episodes that are missing or ended in an error are made, and no others',
  params,
  response: RolloutSet,
  status: 202,
  errors: ['rollouts_not_found'],
})
export const rescoreRollouts = route.post('rescoreRollouts', '/api/rollouts/{id}/rescore', {
  summary: 'Reward the episodes of a set that has ended under another policy; nothing is run again',
  params,
  body: z.object({ policy: RewardPolicy }),
  response: RolloutSet,
  errors: ['rollouts_not_found', 'rollouts_running'],
})
export const exportRollouts = route.get('exportRollouts', '/api/rollouts/{id}/export', {
  summary: 'Episodes in a form that others read: JSON lines (art, trl, verifiers), or a tar file with a file or folder for each',
  params,
  query: z.object({
    format: RolloutExportFormat,
    episode: EpisodeId.optional().meta({ description: 'this one alone (atif, cast), as a file of its own' }),
  }),
  produces: 'application/octet-stream',
  errors: ['rollouts_not_found', 'episode_not_found', 'invalid_request'],
})
export const removeRollouts = route.delete('removeRollouts', '/api/rollouts/{id}', {
  summary: 'Remove a set that has ended, with its episodes',
  params,
  response: z.object({ id: RolloutSetId }),
  errors: ['rollouts_not_found', 'rollouts_running'],
})
