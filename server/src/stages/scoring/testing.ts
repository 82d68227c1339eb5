import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { ServerMessage } from '#contracts/messages.ts'
import { loadConfig, pathsOf } from '#server/config.ts'
import type { Core } from '#server/core.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { createTx } from '#server/db/tx.ts'
import { createEvents } from '#server/events/events.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import type { ParsedStep } from '#server/stages/traces/types.ts'
import { createWorkers } from '#server/workers/pool.ts'

let count = 0

/** A step with sensible defaults for tests: an answered Bash call of the main conversation. */
export function aStep(values: Partial<ParsedStep> = {}): ParsedStep {
  return {
    id: `step-${++count}`,
    conversation: 'main',
    tool: 'Bash',
    command: null,
    input: {},
    output: null,
    success: null,
    exitCode: null,
    isError: false,
    rejected: false,
    answered: true,
    cwd: null,
    at: null,
    file: null,
    edits: false,
    patch: null,
    ...values,
  }
}

/** A real core on a temporary data directory, and what it told. */
export function openTestCore(): Core & { messages: ServerMessage[]; close(): Promise<void> } {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-scoring-'))
  const paths = pathsOf(home)
  const db = openDatabase(paths.database)
  migrate(db, { backupDir: paths.backups })
  const events = createEvents(db)
  const tx = createTx(db, events)
  const workers = createWorkers({ bulk: 1, live: 1, query: 1 })
  const messages: ServerMessage[] = []
  events.subscribe((message) => messages.push(message))
  return {
    config: loadConfig({ home }, {}),
    paths,
    db,
    tx,
    events,
    jobs: createJobs(db, tx, events),
    workers,
    log: pino({ level: 'silent' }),
    now: Date.now,
    messages,
    async close() {
      await workers.close()
      db.close()
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}
