import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { Health, Stats } from '#contracts/entities/system.ts'
import { AppError } from '#contracts/errors.ts'
import * as jobRoutes from '#contracts/routes/jobs.ts'
import * as routes from '#contracts/routes/system.ts'
import type { Core } from '#server/core.ts'
import type { SessionCodes } from './session-codes.ts'
import { readRestored } from './maintenance/to-confirm.ts'
import type { SettingsService } from './settings.ts'

export interface SystemParts {
  version: string
  startedAt: string
  settings: SettingsService
  codes: SessionCodes
  /** Address of the server, null while the app runs inside a command. */
  url: () => string | null
  /** What this start mended. */
  repaired: () => string[]
  stats: () => Promise<Stats>
  checks: () => Health['checks']
}

/** Health, sign-in, settings, this machine, and long work. */
export function systemRoutes(core: Core, parts: SystemParts): Implementation[] {
  const { config, jobs, now } = core
  const document = () => ({ settings: parts.settings.get(), environment: config.origins, storedIn: core.paths.database })
  return [
    implement(routes.getHealth, () => {
      const checks = parts.checks()
      const isDegraded = checks.runs === 'stalled' || checks.disk === 'full' || checks.search === 'failed'
      return { status: isDegraded ? ('degraded' as const) : ('ok' as const), version: parts.version, checks }
    }),
    implement(routes.getStats, parts.stats),
    implement(routes.createSessionCode, () => {
      const url = parts.url()
      if (url === null) throw new AppError('not_found', { message: 'No server listens, so there is nothing to sign in to.' })
      const { code, expiresInMs } = parts.codes.create()
      return { code, url: `${url}/#code=${code}`, expiresAt: new Date(now() + expiresInMs).toISOString() }
    }),
    implement(routes.openSession, ({ body }) => {
      if (!parts.codes.redeem(body.code)) throw new AppError('session_code_invalid')
      return { ok: true as const }
    }),
    implement(routes.getSystemInfo, () => ({
      version: parts.version,
      node: process.version,
      os: `${os.type()} ${os.release()}`,
      arch: os.arch(),
      cpus: os.availableParallelism(),
      memoryBytes: os.totalmem(),
      home: config.home,
      claudeDir: config.claudeDir,
      pid: process.pid,
      startedAt: parts.startedAt,
      repaired: parts.repaired(),
    })),
    implement(routes.getSettings, document),
    implement(routes.patchSettings, ({ body }) => {
      parts.settings.patch(body)
      return document()
    }),
    implement(routes.getRestored, () => readRestored(core.db)),
    implement(routes.discardRestored, ({ params: { key } }) => {
      if (!parts.settings.discardRestored(key)) throw new AppError('not_found', { message: `No restored setting "${key}" waits for you.` })
      return readRestored(core.db)
    }),
    implement(jobRoutes.listJobs, ({ query: { kind, ...query } }) => jobs.list({ ...query, ...(kind !== undefined && { kinds: [kind] }) })),
    implement(jobRoutes.getJob, async ({ params: { id }, query: { waitMs }, signal }) => {
      const job = jobs.get(id)
      if (!job) throw new AppError('job_not_found')
      if (job.state !== 'running' || waitMs === 0) return job
      const timer = new AbortController()
      const early = AbortSignal.any([signal, timer.signal])
      await Promise.race([jobs.wait(id), sleep(waitMs, undefined, { signal: early }).catch(() => undefined)])
      timer.abort()
      return jobs.get(id)!
    }),
    implement(jobRoutes.cancelJob, ({ params }) => jobs.cancel(params.id)),
  ]
}
