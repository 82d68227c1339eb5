import type { Logger } from 'pino'
import type { Config, Paths } from './config.ts'
import type { Database } from './db/open.ts'
import type { Tx } from './db/tx.ts'
import type { Disk } from './disk.ts'
import type { Events } from './events/events.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Workers } from './workers/pool.ts'

/** The parts that app.ts passes to every stage. */
export interface Core {
  config: Config
  paths: Paths
  db: Database
  tx: Tx
  events: Events
  jobs: Jobs
  workers: Workers
  log: Logger
  disk: Disk
  /** Another process does the background work: this one only reads. */
  readsOnly: boolean
  now: () => number
}
