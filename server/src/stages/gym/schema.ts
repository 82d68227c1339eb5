import type { Schema } from '#server/db/schema.ts'
import { pauseRestoredRuns } from './restored.ts'
import { gym } from './migrations/0010-gym.ts'
import { runMatrix } from './migrations/0029-run-matrix.ts'

export const gymSchema: Schema = {
  own: ['runs', 'run_blocks', 'run_lines', 'run_system', 'run_samples', 'run_checkpoints', 'run_queue', 'run_presets'],
  fileNames: [
    ['runs', 'id', 'trace'],
    ['run_checkpoints', 'path', 'name'],
  ],
  afterRestore: pauseRestoredRuns,
  migrations: [gym, runMatrix],
}
