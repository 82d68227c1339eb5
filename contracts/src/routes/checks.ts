import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { TraceId } from '../entities/common.ts'
import { FoundCheck, KeptCheck } from '../entities/check.ts'
import { Job } from '../entities/job.ts'
import { Selection } from './traces.ts'
import { folderField } from '../places.ts'

const route = routesOf('checks')
const directory = folderField(
  z.string().min(1).max(4096).startsWith('/', 'must be an absolute path'),
  'Read a project and run its tests in a sandbox',
  { withRepository: true },
).meta({ description: 'folder of the project' })

export const findChecks = route.post('findChecks', '/api/checks/find', {
  summary: 'Detect the checks of a project, in order of preference; nothing is run',
  body: z.object({ directory }),
  onlyLooks: true,
  response: z.object({ items: z.array(FoundCheck) }),
  errors: ['invalid_request', 'path_refused', 'confirmation_required'],
})
export const runChecks = route.post('runChecks', '/api/checks', {
  summary: "Run a project's own checks on a copy of it in a sandbox without network; the job's result is a CheckReport",
  body: z.object({
    directory,
    command: z.string().min(1).max(100_000).optional().meta({ description: 'instead of the detected check' }),
    timeoutSec: z.number().int().min(1).max(3600).default(600),
  }),
  response: Job,
  status: 202,
  errors: ['invalid_request', 'payload_too_large', 'backend_unavailable', 'isolation_unavailable', 'path_refused', 'confirmation_required'],
})

export const checkTrace = route.post('checkTrace', '/api/traces/{id}/checks', {
  summary: 'Run the checks of the project on the files as a session left them; the result of the job is a CheckReport',
  params: z.object({ id: TraceId }),
  body: z.object({
    command: z.string().min(1).max(100_000).optional(),
    timeoutSec: z.number().int().min(1).max(3600).default(600),
  }),
  response: Job,
  status: 202,
  stored: 'session',
  errors: ['trace_not_found', 'confirmation_required'],
})

export const getTraceChecks = route.get('getTraceChecks', '/api/traces/{id}/checks', {
  summary: 'The latest result of the checks of a session; null if they were not run',
  params: z.object({ id: TraceId }),
  response: z.object({ result: KeptCheck.nullable() }),
  errors: ['trace_not_found'],
})

export const checkTraces = route.post('checkTraces', '/api/traces/checks', {
  summary: 'Run the checks of many sessions, one at a time per project; the result of the job is a BulkChecks',
  body: z.object({ selection: Selection, timeoutSec: z.number().int().min(1).max(3600).default(600) }),
  response: Job,
  status: 202,
  stored: 'sessions',
  errors: ['filter_invalid', 'job_running', 'confirmation_required'],
})
