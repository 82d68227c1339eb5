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
const RolloutsBody = z.object({ ...RolloutSettings.shape, ...RolloutSelection.shape, name: z.string().trim().min(1).max(200).optional() })

export const createRollouts = route.post('createRollouts', '/api/rollouts', {
  summary: 'Let a model try shell tasks in sandboxes, each one or more times, and compute the reward of every attempt',
  body: RolloutsBody.extend({ idempotencyKey: IdempotencyKey.optional() }),
  response: RolloutSet,
  status: 202,
  errors: ['invalid_request', 'rollouts_refused', 'confirmation_required'],
})
export const planRollouts = route.post('planRollouts', '/api/rollouts/plan', {
  summary: 'Preview a set of rollouts: tasks, episodes, who pays, and why it cannot start; nothing is run',
  body: RolloutsBody,
  response: RolloutPlan,
  onlyLooks: true,
  errors: ['invalid_request', 'confirmation_required'],
})
export const listRollouts = route.get('listRollouts', '/api/rollouts', {
  summary: 'Sets of rollouts, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(RolloutSet),
})
export const getRollouts = route.get('getRollouts', '/api/rollouts/{id}', {
  summary: 'A set of rollouts with its progress; with waitMs, the response waits until another episode has ended',
  params,
  query: z.object({
    waitMs: z.coerce.number().int().min(0).max(30_000).default(0),
    ended: z.coerce.number().int().default(0).meta({ description: 'how many ended episodes the caller knows' }),
  }),
  response: RolloutSet,
  errors: ['rollouts_not_found'],
})
export const getRolloutStats = route.get('getRolloutStats', '/api/rollouts/{id}/stats', {
  summary: 'Success with its interval, also by difficulty; turns, exit codes, rewards and their terms, groups without variance',
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
  summary: 'Ended episodes by task',
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
  summary: 'An episode with its task and turns, even while it is running',
  params: params.extend({ episodeId: EpisodeId }),
  query: z.object({ after: z.coerce.number().int().min(0).default(0), limit: z.coerce.number().int().min(1).max(1000).default(200) }),
  response: z.object({
    episode: Episode.nullable().meta({ description: 'null if it has not ended' }),
    task: RolloutTask,
    system: z.string().meta({ description: 'the system prompt; the task is the first user message' }),
    turns: z.array(EpisodeTurn).meta({ description: 'the turns after `after`' }),
    isWhole: z.boolean().meta({ description: 'false if there are more turns' }),
    sandboxId: z.string().nullable().meta({ description: 'while it is running' }),
  }),
  errors: ['rollouts_not_found', 'episode_not_found'],
})
export const cancelRollouts = route.post('cancelRollouts', '/api/rollouts/{id}/cancel', {
  summary: 'Stop a set; responds when no episode is running. Ended episodes are kept',
  params,
  stored: { none: 'it only ends episodes' },
  response: RolloutSet,
  errors: ['rollouts_not_found'],
})
export const resumeRollouts = route.post('resumeRollouts', '/api/rollouts/{id}/resume', {
  summary: 'Resume a set: plays only episodes that are missing or ended with an error',
  params,
  response: RolloutSet,
  status: 202,
  stored: 'rollouts',
  errors: ['rollouts_not_found', 'confirmation_required'],
})
export const rescoreRollouts = route.post('rescoreRollouts', '/api/rollouts/{id}/rescore', {
  summary: 'Compute the rewards of an ended set with another policy; nothing is run again',
  params,
  stored: { none: 'it only computes' },
  body: z.object({ policy: RewardPolicy }),
  response: RolloutSet,
  errors: ['rollouts_not_found', 'rollouts_running'],
})
export const exportRollouts = route.get('exportRollouts', '/api/rollouts/{id}/export', {
  summary: 'Export episodes for other tools: JSON Lines (art, trl, verifiers), or a tar file with a file or folder for each',
  params,
  query: z.object({
    format: RolloutExportFormat,
    episode: EpisodeId.optional().meta({ description: 'export only this episode (atif, cast), as a single file' }),
  }),
  produces: 'application/octet-stream',
  errors: ['rollouts_not_found', 'episode_not_found', 'invalid_request'],
})
export const removeRollouts = route.delete('removeRollouts', '/api/rollouts/{id}', {
  summary: 'Remove a set that has ended, with its episodes',
  params,
  stored: { none: 'it removes only the files of the set' },
  response: z.object({ id: RolloutSetId }),
  errors: ['rollouts_not_found', 'rollouts_running'],
})
