import { parks } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { gym } from './migrations/0010-gym.ts'
import { runMatrix } from './migrations/0029-run-matrix.ts'

export const gymSchema: Schema = {
  own: {
    runs: parks({
      kind: 'training-run',
      rows: `SELECT id, name AS title, state = 'queued' AS active, asked AS named FROM runs ORDER BY no`,
      end: [
        // the process of an active run is not on this machine
        `UPDATE runs SET state = 'failed', ended_at = coalesce(started_at, created_at),
           error = json_object('code', 'restored', 'message', 'It was running when the backup was made. Start it again.', 'row', NULL, 'logTail', '')
         WHERE state NOT IN ('queued', 'paused', 'completed', 'failed', 'cancelled')`,
        "UPDATE runs SET state = 'paused' WHERE state = 'queued'",
        'UPDATE runs SET handle = NULL, wish = NULL, queue_place = NULL, idempotency_key = NULL',
      ],
    }),
    run_blocks: keeps('curves'),
    run_lines: keeps('logs'),
    run_system: keeps('measurements'),
    run_samples: keeps('texts that models wrote'),
    run_checkpoints: keeps('steps and names of folders of a run, which "fileNames" checks'),
    run_queue: keeps('whether the queue is paused'),
    run_presets: keeps('they fill in a form, which the user reads and starts, and which is checked like any other'),
  },
  published: ['runs'],
  fileNames: [
    ['runs', 'id', 'trace'],
    ['run_checkpoints', 'path', 'name'],
  ],
  migrations: [gym, runMatrix],
}
