import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { Health, Stats } from '#contracts/entities/system.ts'
import { AppError } from '#contracts/errors.ts'
import * as jobRoutes from '#contracts/routes/jobs.ts'
import { Settings } from '#contracts/entities/settings.ts'
import * as routes from '#contracts/routes/system.ts'
import type { Core } from '#server/core.ts'
import { readRestored } from './maintenance/to-confirm.ts'
import type { MachineParts } from './machine.ts'
import type { SettingsService } from './settings.ts'

const DEFAULTS = Settings.parse({})

export interface SystemDeps {
  version: string
  startedAt: string
  settings: SettingsService
  /** Why a folder cannot be a trusted one; null if it can. */
  whyNeverTrusted: (folder: string) => string | null
  /** Repairs made by this start. */
  repaired: () => string[]
  stats: () => Promise<Stats>
  checks: () => Health['checks']
  machine: () => Promise<MachineParts>
}

export function systemRoutes(core: Core, deps: SystemDeps): Implementation[] {
  const { config, jobs } = core
  const document = () => ({ settings: deps.settings.get(), environment: config.origins, storedIn: core.paths.database })
  return [
    implement(routes.getHealth, () => {
      const checks = deps.checks()
      const isUnread = checks.db === 'failed' || checks.archive === 'missing'
      const isDegraded = isUnread || checks.runs === 'stalled' || checks.disk === 'full' || checks.search === 'failed'
      return {
        status: isDegraded ? ('degraded' as const) : ('ok' as const),
        version: deps.version,
        uptimeSec: Math.floor(process.uptime()),
        checks,
      }
    }),
    implement(routes.getStats, deps.stats),
    implement(routes.getSystemInfo, async () => ({
      version: deps.version,
      node: process.version,
      os: `${os.type()} ${os.release()}`,
      arch: os.arch(),
      cpus: os.availableParallelism(),
      memoryBytes: os.totalmem(),
      ...(await deps.machine()),
      dataDir: config.dataDir,
      claudeDir: config.claudeDir,
      pid: process.pid,
      startedAt: deps.startedAt,
      repaired: deps.repaired(),
    })),
    implement(routes.getSettings, document),
    implement(
      routes.patchSettings,
      ({ body }) => {
        for (const folder of body.access?.trustedFolders ?? []) {
          const reason = deps.whyNeverTrusted(folder)
          if (reason !== null)
            throw new AppError('settings_invalid', {
              message: `${folder} cannot be a trusted folder: ${reason}.`,
              hint: 'Choose a folder that only has your work in it.',
            })
        }
        deps.settings.patch(body)
        return document()
      },
      { trusted: () => [deps.settings.get(), DEFAULTS] }, // a reset trusts nothing new
    ),
    implement(routes.getRestored, () => readRestored(core.db)),
    implement(routes.discardRestored, ({ params: { key } }) => {
      if (!deps.settings.discardRestored(key))
        throw new AppError('not_found', { message: `No restored setting "${key}" is waiting for confirmation.` })
      return readRestored(core.db)
    }),
    implement(jobRoutes.listJobs, ({ query: { kind, ...query } }) => jobs.list({ ...query, ...(kind !== undefined && { kinds: [kind] }) })),
    implement(jobRoutes.getJob, async ({ params: { id }, query: { waitMs }, signal }) => {
      const job = jobs.get(id)
      if (!job) throw new AppError('job_not_found')
      if ((job.state !== 'running' && job.state !== 'queued') || waitMs === 0) return job
      const timer = new AbortController()
      const early = AbortSignal.any([signal, timer.signal])
      await Promise.race([jobs.wait(id), sleep(waitMs, undefined, { signal: early }).catch(() => undefined)])
      timer.abort()
      return jobs.get(id)!
    }),
    implement(jobRoutes.cancelJob, ({ params }) => jobs.cancel(params.id)),
  ]
}
