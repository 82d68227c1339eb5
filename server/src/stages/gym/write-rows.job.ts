import fs from 'node:fs'
import { readRowTexts } from '#server/adapters/outside-rows/lines.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { WEIGHT } from './plan/check-row.ts'
import { rowOf } from './plan/foreign.ts'
import { weightOf } from './plan/selection.ts'

export interface WriteRowsInput {
  /** Files to concatenate. With more than one, each row is written with its weight. */
  from: readonly { file: string; weight: number }[]
  to: string
  strategy: TrainStrategy
  required: string[]
}

/** Writes rows in the format of the trainers. Throws at the first row that cannot be converted. */
export default function writeRows({ from, to, strategy, required }: WriteRowsInput, { signal }: Pick<JobContext, 'signal'>): void {
  const isMix = from.length > 1
  const handle = fs.openSync(to, 'w', 0o600)
  try {
    for (const { file, weight } of from) {
      let number = 0
      for (const { text } of readRowTexts(file)) {
        signal.throwIfAborted()
        number += 1
        if (text.trim() === '') continue
        const parsed = rowOf(text, strategy, required)
        if ('problem' in parsed) throw new Error(`Row ${number} of ${file}: ${parsed.problem.message}.`)
        const row = isMix ? { ...parsed.row, [WEIGHT]: weightOf(parsed.row, required, weight) } : parsed.row
        fs.writeSync(handle, `${JSON.stringify(row)}\n`)
      }
    }
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
