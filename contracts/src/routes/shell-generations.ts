import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Job } from '../entities/job.ts'
import { ShellDiversity, ShellGeneration, ShellGenerationPlan, ShellGenerationRequest } from '../entities/shell-generation.ts'
import { ShellTaskFilter } from './shell-tasks.ts'

const route = routesOf('shell-tasks')
const params = z.object({ id: z.string().min(1).max(100) })

export const planShellGeneration = route.post('planShellGeneration', '/api/shell-tasks/generate/plan', {
  summary: 'Preview the generation of shell tasks: what it would send and cost, and why it cannot start. Nothing is sent',
  body: ShellGenerationRequest,
  response: ShellGenerationPlan,
  onlyLooks: true,
  errors: ['shell_split_not_found', 'confirmation_required'],
})
export const generateShellTasks = route.post('generateShellTasks', '/api/shell-tasks/generate', {
  summary:
    'Let a model write new shell tasks; each is compared, validated and tried before it is kept. `result` of the job is a ShellGeneration',
  status: 202,
  body: ShellGenerationRequest,
  response: Job,
  errors: ['invalid_request', 'shell_split_not_found', 'confirmation_required'],
})
export const listShellGenerations = route.get('listShellGenerations', '/api/shell-tasks/generations', {
  summary: 'Generations of shell tasks, the newest first',
  response: z.object({ items: z.array(ShellGeneration) }),
})
export const getShellGeneration = route.get('getShellGeneration', '/api/shell-tasks/generations/{id}', {
  summary: 'A generation of shell tasks: what was kept, what was rejected and why, and what it spent',
  params,
  response: ShellGeneration,
  errors: ['shell_generation_not_found'],
})
export const resumeShellGeneration = route.post('resumeShellGeneration', '/api/shell-tasks/generations/{id}/resume', {
  summary: 'Resume a generation that was stopped or interrupted',
  status: 202,
  params,
  body: z.object({}).default({}),
  response: Job,
  stored: 'generation',
  errors: ['shell_generation_not_found', 'invalid_request', 'confirmation_required'],
})
export const getShellDiversity = route.get('getShellDiversity', '/api/shell-tasks/diversity', {
  summary: 'How balanced and how varied shell tasks are',
  query: ShellTaskFilter,
  response: ShellDiversity,
})
