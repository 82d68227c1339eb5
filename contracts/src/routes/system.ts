import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { DoctorReport, Health, HomeOverview, Stats, SystemInfo, VerifyReport } from '../entities/system.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { PriceList } from '../entities/price.ts'
import { RestoredItem, RestoredKind } from '../entities/restored.ts'
import { RestoredItems, SettingsDocument, SettingsPatch } from '../entities/settings.ts'
import { fileField } from '../places.ts'

const route = routesOf('system')

export const getHealth = route.get('getHealth', '/api/health', {
  summary: 'Whether the server is healthy',
  response: Health,
  isPublic: true,
})

export const getStats = route.get('getStats', '/api/stats', {
  summary: 'Figures of the whole archive',
  response: Stats,
})
export const getPrices = route.get('getPrices', '/api/prices', {
  summary: 'Built-in prices, and the price that applies to each model in the archive',
  response: PriceList,
})
export const getHome = route.get('getHome', '/api/home', {
  summary: 'New sessions, tiers over time, where sessions fall short, and the inbox',
  response: HomeOverview,
})
export const getSystemInfo = route.get('getSystemInfo', '/api/system/info', {
  summary: 'This machine and this server',
  response: SystemInfo,
})
export const getDoctor = route.get('getDoctor', '/api/system/doctor', {
  summary: 'The programs and files that Bash Gym uses, whether they were found, and what they are for',
  response: DoctorReport,
})
export const getSettings = route.get('getSettings', '/api/settings', {
  summary: 'All settings',
  response: SettingsDocument,
})
export const patchSettings = route.patch('patchSettings', '/api/settings', {
  summary: 'Change settings; omitted groups and fields stay unchanged',
  body: SettingsPatch,
  response: SettingsDocument,
  errors: ['settings_invalid', 'confirmation_required'],
})
export const getRestored = route.get('getRestored', '/api/settings/restored', {
  summary: 'Parts of a restored backup that run or send something and wait for confirmation',
  response: RestoredItems,
})
export const discardRestored = route.delete('discardRestored', '/api/settings/restored/{key}', {
  summary: 'Discard a restored setting, or dismiss the notice (`note`) or the list of dropped settings (`dropped`)',
  params: z.object({ key: z.string().max(100) }),
  response: RestoredItems,
  errors: ['not_found'],
})
export const listRestoredItems = route.get('listRestoredItems', '/api/restored', {
  summary: 'Rows of a restored backup that are not used until you choose "Use again", with what each names',
  query: z.object({ kind: RestoredKind.optional(), id: z.string().max(100).optional(), cursor: Cursor, limit: Limit }),
  response: page(RestoredItem),
})
export const getRestoredItem = route.get('getRestoredItem', '/api/restored/{id}', {
  summary: 'A row of a restored backup that is not used yet; a model can share its id with its training run',
  params: z.object({ id: z.string().max(100) }),
  response: z.object({ items: z.array(RestoredItem) }),
  errors: ['not_found'],
})
export const allowRestoredItem = route.post('allowRestoredItem', '/api/restored/{id}/use', {
  summary: 'Use a restored row again; starts it if it was queued or running when the backup was made',
  params: z.object({ id: z.string().max(100) }),
  body: z.object({}),
  response: z.object({ items: z.array(RestoredItem), started: z.boolean() }),
  errors: ['not_found', 'confirmation_required', 'task_refused', 'invalid_request', 'run_state', 'run_changed', 'training_unavailable'],
})
export const startRebuild = route.post('startRebuild', '/api/maintenance/rebuild', {
  summary: 'Recreate every derived table from the archive',
  status: 202,
  body: z.object({}),
  response: Job,
  errors: ['job_running'],
})
export const verifyArchive = route.post('verifyArchive', '/api/maintenance/verify', {
  summary: 'Compare the database with the archive',
  body: z.object({}),
  response: VerifyReport,
  errors: ['job_running'],
})
export const createBackup = route.post('createBackup', '/api/maintenance/backup', {
  summary: 'Write a tar file of database, archive and data sets',
  body: z.object({ file: fileField(z.string().min(1).max(4096), 'Write a backup to a file', { title: 'Confirm writing this file' }) }),
  response: z.object({ file: z.string(), bytes: z.number(), files: z.number().int(), ms: z.number() }),
  errors: ['path_refused', 'disk_full', 'confirmation_required'],
})
