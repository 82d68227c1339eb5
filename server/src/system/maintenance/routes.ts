import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { HooksReport } from '#contracts/entities/capture.ts'
import type { VerifyReport } from '#contracts/entities/system.ts'
import { createBackup, getDoctor, startRebuild, verifyArchive } from '#contracts/routes/system.ts'
import type { Python } from '#server/adapters/python/index.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { writeBackup } from './backup.ts'
import { diskOf } from '../machine.ts'
import { examine } from './doctor.ts'

export interface MaintenanceDeps {
  version: string
  /** Empties and refills every derived table; resolves with the job's result. */
  rebuild: (context: JobContext) => Promise<unknown>
  verify: (signal: AbortSignal) => Promise<VerifyReport>
  hooks: () => Promise<HooksReport>
  python: Python
  router: Parameters<typeof examine>[0]['router']
}

export function maintenanceRoutes(core: Core, { version, rebuild, verify, hooks, python, router }: MaintenanceDeps): Implementation[] {
  return [
    implement(startRebuild, () => core.jobs.start('rebuild', rebuild, { single: true })),
    implement(verifyArchive, ({ signal }) => verify(signal)),
    implement(createBackup, ({ body }) => writeBackup(core, body.file, version)),
    implement(getDoctor, () =>
      examine({ config: core.config, hooks, python, router, freeBytes: diskOf(core.config.dataDir)?.freeBytes ?? null }),
    ),
  ]
}
