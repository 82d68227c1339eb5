import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { DoctorReport, Health, HomeOverview, Stats, SystemInfo, VerifyReport } from '../entities/system.ts'
import { Job } from '../entities/job.ts'
import { PriceList } from '../entities/price.ts'
import { RestoredItems, SettingsDocument, SettingsPatch } from '../entities/settings.ts'

const route = routesOf('system')

export const getHealth = route.get('getHealth', '/api/health', {
  summary: 'Is the server up',
  response: Health,
  isPublic: true,
})

export const getStats = route.get('getStats', '/api/stats', {
  summary: 'Figures over the whole archive',
  response: Stats,
})
export const getPrices = route.get('getPrices', '/api/prices', {
  summary: 'Built-in prices, and the price that applies to each model in the archive',
  response: PriceList,
})
export const getHome = route.get('getHome', '/api/home', {
  summary: 'What came in, tiers over time, what to do next',
  response: HomeOverview,
})
export const getSystemInfo = route.get('getSystemInfo', '/api/system/info', {
  summary: 'This machine and this server',
  response: SystemInfo,
})
export const getDoctor = route.get('getDoctor', '/api/system/doctor', {
  summary: 'Every outside part: found or not, and what it is for',
  response: DoctorReport,
})
export const getSettings = route.get('getSettings', '/api/settings', {
  summary: 'All settings',
  response: SettingsDocument,
})
export const patchSettings = route.patch('patchSettings', '/api/settings', {
  summary: 'Change settings; groups and fields left out stay',
  body: SettingsPatch,
  response: SettingsDocument,
  errors: ['settings_invalid', 'confirmation_required'],
})
export const getRestored = route.get('getRestored', '/api/settings/restored', {
  summary: 'What a restored backup brought that runs or sends something, and waits for confirmation',
  response: RestoredItems,
})
export const discardRestored = route.delete('discardRestored', '/api/settings/restored/{key}', {
  summary: 'Discard a restored setting, or the note about paused runs (`runs`) or dropped settings (`dropped`)',
  params: z.object({ key: z.string().max(100) }),
  response: RestoredItems,
  errors: ['not_found'],
})
export const startRebuild = route.post('startRebuild', '/api/maintenance/rebuild', {
  summary: 'Make every derived table again from the archive',
  status: 202,
  body: z.object({}),
  response: Job,
  errors: ['job_running'],
})
export const verifyArchive = route.post('verifyArchive', '/api/maintenance/verify', {
  summary: 'Check database and archive against each other',
  body: z.object({}),
  response: VerifyReport,
  errors: ['job_running'],
})
export const createBackup = route.post('createBackup', '/api/maintenance/backup', {
  summary: 'Write a tar of database, archive and data sets',
  body: z.object({ file: z.string().min(1).max(4096) }),
  response: z.object({ file: z.string(), bytes: z.number(), files: z.number().int(), ms: z.number() }),
  errors: ['path_refused', 'disk_full'],
})
