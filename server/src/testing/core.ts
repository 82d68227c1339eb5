import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { ServerMessage } from '#contracts/messages.ts'
import { loadConfig, pathsOf } from '#server/config.ts'
import type { Core } from '#server/core.ts'
import { migrate } from '#server/db/migrate.ts'
import { schema } from '#server/schema.ts'
import { openDatabase } from '#server/db/open.ts'
import { createTx } from '#server/db/tx.ts'
import { createDisk, withDiskNotes } from '#server/disk.ts'
import { createEvents } from '#server/events/events.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import { allowRunningIn } from '#server/process/program.ts'
import { createWorkers } from '#server/workers/pool.ts'

/** For tests and benchmarks: a real core, and the messages it sent. */
export interface TestCore extends Core {
  messages: ServerMessage[]
  close(): Promise<void>
}

export interface TestCoreOptions {
  /** Default: a temporary folder. `close` removes the folder unless `keep` is true. */
  dataDir?: string
  keep?: boolean
  now?: () => number
  env?: Record<string, string>
  workers?: Parameters<typeof createWorkers>[0]
}

export function openCore(options: TestCoreOptions = {}): TestCore {
  const { dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-')), now = Date.now, env = {} } = options
  fs.mkdirSync(dataDir, { recursive: true })
  allowRunningIn(dataDir)
  const paths = pathsOf(dataDir)
  const db = openDatabase(paths.database)
  migrate(db, { schema, backupDir: paths.backups })
  const events = createEvents(db, now)
  const disk = createDisk(dataDir, () => undefined)
  const tx = withDiskNotes(createTx(db, events), disk)
  const workers = createWorkers(options.workers ?? { bulk: 1, live: 1, query: 1 })
  const messages: ServerMessage[] = []
  events.subscribe((message) => messages.push(message))
  return {
    config: loadConfig({ dataDir }, env),
    paths,
    db,
    tx,
    events,
    jobs: createJobs(db, tx, events, now),
    workers,
    disk,
    readsOnly: false,
    log: pino({ level: 'silent' }),
    now,
    messages,
    async close() {
      disk.close()
      await workers.close()
      db.close()
      if (!options.keep) fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Waits for a job and returns its result; throws its error. */
export async function resultOf<Result>({ jobs }: Pick<Core, 'jobs'>, { id }: { id: string }): Promise<Result> {
  const { error, result } = await jobs.wait(id)
  if (error) throw new Error(error.message)
  return result as Result // the caller knows what jobs of this kind return
}
