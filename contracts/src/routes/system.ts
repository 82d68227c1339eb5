import { z } from 'zod'
import { route } from '../derive/route.ts'
import { DoctorReport, Health, HomeOverview, Stats, SystemInfo, VerifyReport } from '../entities/system.ts'
import { Job } from '../entities/job.ts'
import { PriceList } from '../entities/price.ts'
import { RestoredItems, SettingsDocument, SettingsPatch } from '../entities/settings.ts'

const group = 'system'

export const getHealth = route({
  name: 'getHealth',
  group,
  method: 'get',
  path: '/api/health',
  summary: 'Is the server up',
  response: Health,
  errors: [],
  isPublic: true,
})

export const getStats = route({
  name: 'getStats',
  group,
  method: 'get',
  path: '/api/stats',
  summary: 'Figures over the whole archive',
  response: Stats,
  errors: [],
})
export const getPrices = route({
  name: 'getPrices',
  group,
  method: 'get',
  path: '/api/prices',
  summary: 'Built-in prices, and the price that applies to each model in the archive',
  response: PriceList,
  errors: [],
})
export const getHome = route({
  name: 'getHome',
  group,
  method: 'get',
  path: '/api/home',
  summary: 'What came in, tiers over time, what to do next',
  response: HomeOverview,
  errors: [],
})
export const getSystemInfo = route({
  name: 'getSystemInfo',
  group,
  method: 'get',
  path: '/api/system/info',
  summary: 'This machine and this server',
  response: SystemInfo,
  errors: [],
})
export const getDoctor = route({
  name: 'getDoctor',
  group,
  method: 'get',
  path: '/api/system/doctor',
  summary: 'Every outside part: found or not, and what it is for',
  response: DoctorReport,
  errors: [],
})
export const getSettings = route({
  name: 'getSettings',
  group,
  method: 'get',
  path: '/api/settings',
  summary: 'All settings',
  response: SettingsDocument,
  errors: [],
})
export const patchSettings = route({
  name: 'patchSettings',
  group,
  method: 'patch',
  path: '/api/settings',
  summary: 'Change settings; groups and fields left out stay',
  body: SettingsPatch,
  response: SettingsDocument,
  errors: ['settings_invalid', 'confirmation_required'],
})
export const getRestored = route({
  name: 'getRestored',
  group,
  method: 'get',
  path: '/api/settings/restored',
  summary: 'What a restored backup brought that runs or sends something, and waits for confirmation',
  response: RestoredItems,
  errors: [],
})
export const discardRestored = route({
  name: 'discardRestored',
  group,
  method: 'delete',
  path: '/api/settings/restored/{key}',
  summary: 'Discard a restored setting, or the note about paused runs (`runs`) or dropped settings (`dropped`)',
  params: z.object({ key: z.string().max(100) }),
  response: RestoredItems,
  errors: ['not_found'],
})
export const startRebuild = route({
  name: 'startRebuild',
  group,
  method: 'post',
  path: '/api/maintenance/rebuild',
  summary: 'Make every derived table again from the archive',
  status: 202,
  body: z.object({}),
  response: Job,
  errors: ['job_running'],
})
export const verifyArchive = route({
  name: 'verifyArchive',
  group,
  method: 'post',
  path: '/api/maintenance/verify',
  summary: 'Check database and archive against each other',
  body: z.object({}),
  response: VerifyReport,
  errors: ['job_running'],
})
export const createBackup = route({
  name: 'createBackup',
  group,
  method: 'post',
  path: '/api/maintenance/backup',
  summary: 'Write a tar of database, archive and data sets',
  body: z.object({ file: z.string().min(1).max(4096) }),
  response: z.object({ file: z.string(), bytes: z.number(), files: z.number().int(), ms: z.number() }),
  errors: ['path_refused', 'disk_full'],
})
