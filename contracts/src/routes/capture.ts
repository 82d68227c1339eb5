import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { CaptureStatus, HooksPreview, HooksReport, Scan, ShellEditsSetting } from '../entities/capture.ts'
import { Agent, Cursor, Limit, page } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { askedField, notAPlace } from '../places.ts'

const capture = routesOf('capture')
const imports = routesOf('imports')
const hooks = routesOf('hooks')

export const getCapture = capture.get('getCapture', '/api/capture', {
  summary: 'Current state of capture, archive and disk',
  response: CaptureStatus,
})
export const scanHistory = capture.get('scanHistory', '/api/capture/scan', {
  summary: 'Find the sessions on this machine; nothing is imported',
  response: Scan,
})
export const leaveOutProject = capture.post('leaveOutProject', '/api/capture/projects/leave-out', {
  summary: 'Exclude a working directory, and remove its archived sessions that are still in the files of its client',
  body: z.object({ cwd: notAPlace(z.string().min(1).max(4096), 'compared with the folders of sessions, never opened') }),
  response: z.object({ removed: z.number().int() }),
})
export const startImport = imports.post('startImport', '/api/imports', {
  summary: 'Import sessions from paths, or from every known folder',
  status: 202,
  body: z.object({
    paths: z
      .array(askedField(z.string().min(1).max(4096), 'Import sessions from', { title: 'Confirm reading sessions' }))
      .max(1000)
      .optional(),
    agent: Agent.optional(),
  }),
  response: Job,
  errors: ['path_refused', 'confirmation_required'],
})
export const listImports = imports.get('listImports', '/api/imports', {
  summary: 'Imports, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(Job),
})
export const importSamples = imports.post('importSamples', '/api/samples', {
  summary: 'Load the sample sessions of the product',
  status: 202,
  body: z.object({}),
  response: Job,
})
export const removeSamples = imports.delete('removeSamples', '/api/samples', {
  summary: 'Remove the sample sessions',
  response: z.object({ removed: z.number().int() }),
})

export const getHooks = hooks.get('getHooks', '/api/hooks/status', {
  summary: 'Which hooks are installed, by event',
  response: HooksReport,
})
export const previewHooks = hooks.get('previewHooks', '/api/hooks/preview', {
  summary: 'The exact change that installing or removing would make',
  query: z.object({ action: z.enum(['install', 'uninstall']).default('install') }),
  response: HooksPreview,
  errors: ['client_settings_invalid', 'hooks_unsupported'],
})
export const installHooks = hooks.post('installHooks', '/api/hooks/install', {
  summary: 'Add our hooks to the settings file of Claude Code',
  body: z.object({}),
  response: HooksReport,
  errors: ['client_settings_invalid', 'hooks_unsupported', 'disk_full'],
})
export const uninstallHooks = hooks.post('uninstallHooks', '/api/hooks/uninstall', {
  summary: 'Remove our hooks, and only ours',
  body: z.object({}),
  response: HooksReport,
  errors: ['client_settings_invalid'],
})
export const getShellEdits = hooks.get('getShellEdits', '/api/hooks/shell-edits', {
  summary: 'Whether Claude Code records the edits of shell commands, and the change that the other choice would make',
  response: ShellEditsSetting,
  errors: ['client_settings_invalid'],
})
export const setShellEdits = hooks.post('setShellEdits', '/api/hooks/shell-edits', {
  summary: 'Have Claude Code record the edits of shell commands (`bashEditDiffEnabled`), or undo that',
  body: z.object({ on: z.boolean() }),
  response: ShellEditsSetting,
  errors: ['client_settings_invalid', 'disk_full'],
})
