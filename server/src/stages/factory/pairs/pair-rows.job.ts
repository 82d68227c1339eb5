import type { ExampleOptions, PreferenceRow } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { openGate, type Cleared, type GateInput } from '#server/stages/privacy/index.ts'
import { readRow } from './read.ts'
import type { FoundPair } from './types.ts'

export interface PairRowInput {
  database: string
  archive: string
  pair: FoundPair
  options: ExampleOptions
  gate: GateInput
}

/** The cleared messages of one pair; null if one of its sides is missing. */
export default function row({ database, archive, pair, options, gate }: PairRowInput): Cleared<PreferenceRow> | null {
  const pairRow = readRow(readOnlyOfThread(database), archive, pair, options)
  return pairRow && openGate(gate).clear(pairRow, { traceId: pair.rejected.traceId, project: pair.repo })
}
