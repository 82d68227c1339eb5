import { z } from 'zod'
import { route } from '../derive/route.ts'
import { CaptureStatus, HooksPreview, HooksReport, Scan } from '../entities/capture.ts'
import { Agent, Cursor, Limit, page } from '../entities/common.ts'
import { Job } from '../entities/job.ts'

export const getCapture = route({
  name: 'getCapture',
  group: 'capture',
  method: 'get',
  path: '/api/capture',
  summary: 'Capture, archive and disk at this moment',
  response: CaptureStatus,
  errors: [],
})
export const scanHistory = route({
  name: 'scanHistory',
  group: 'capture',
  method: 'get',
  path: '/api/capture/scan',
  summary: 'Which sessions are on this machine; nothing is imported',
  response: Scan,
  errors: [],
})
export const leaveOutProject = route({
  name: 'leaveOutProject',
  group: 'capture',
  method: 'post',
  path: '/api/capture/projects/leave-out',
  summary: 'Pass a working directory over from now on, and remove what is archived of it and still in the files of its client',
  body: z.object({ cwd: z.string().min(1).max(4096) }),
  response: z.object({ removed: z.number().int() }),
  errors: [],
})
export const startImport = route({
  name: 'startImport',
  group: 'imports',
  method: 'post',
  path: '/api/imports',
  summary: 'Import sessions from paths, or from every known place',
  status: 202,
  body: z.object({ paths: z.array(z.string().min(1).max(4096)).max(1000).optional(), agent: Agent.optional() }),
  response: Job,
  errors: ['path_refused', 'confirmation_required'],
})
export const listImports = route({
  name: 'listImports',
  group: 'imports',
  method: 'get',
  path: '/api/imports',
  summary: 'Imports, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(Job),
  errors: [],
})
export const importSamples = route({
  name: 'importSamples',
  group: 'imports',
  method: 'post',
  path: '/api/samples',
  summary: 'Take in the sample sessions that ship with the product',
  status: 202,
  body: z.object({}),
  response: Job,
  errors: [],
})
export const removeSamples = route({
  name: 'removeSamples',
  group: 'imports',
  method: 'delete',
  path: '/api/samples',
  summary: 'Remove the sample sessions',
  response: z.object({ removed: z.number().int() }),
  errors: [],
})

export const getHooks = route({
  name: 'getHooks',
  group: 'hooks',
  method: 'get',
  path: '/api/hooks/status',
  summary: 'Which hooks are installed, event by event',
  response: HooksReport,
  errors: [],
})
export const previewHooks = route({
  name: 'previewHooks',
  group: 'hooks',
  method: 'get',
  path: '/api/hooks/preview',
  summary: 'The exact change that installing or removing would make',
  query: z.object({ action: z.enum(['install', 'uninstall']).default('install') }),
  response: HooksPreview,
  errors: ['client_settings_invalid', 'hooks_unsupported'],
})
export const installHooks = route({
  name: 'installHooks',
  group: 'hooks',
  method: 'post',
  path: '/api/hooks/install',
  summary: 'Add our hooks to the settings file of Claude Code',
  body: z.object({}),
  response: HooksReport,
  errors: ['client_settings_invalid', 'hooks_unsupported', 'disk_full'],
})
export const uninstallHooks = route({
  name: 'uninstallHooks',
  group: 'hooks',
  method: 'post',
  path: '/api/hooks/uninstall',
  summary: 'Take out our hooks, and only ours',
  body: z.object({}),
  response: HooksReport,
  errors: ['client_settings_invalid'],
})
