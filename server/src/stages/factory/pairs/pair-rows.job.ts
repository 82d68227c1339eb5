import type { ExampleOptions, PreferenceRow } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { openGate, type Cleared, type GateInput } from '#server/stages/privacy/index.ts'
import { rowOf } from './read.ts'
import type { FoundPair } from './types.ts'

export interface PairRowInput {
  database: string
  archive: string
  pair: FoundPair
  options: ExampleOptions
  gate: GateInput
}

/** The messages of one pair as an export would hold them; null when one of its sides is gone. */
export default function row({ database, archive, pair, options, gate }: PairRowInput): Cleared<PreferenceRow> | null {
  const found = rowOf(readOnlyOfThread(database), archive, pair, options)
  return found && openGate(gate).clear(found, { traceId: pair.rejected.traceId, project: pair.repo })
}
