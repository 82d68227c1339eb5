import type { Profile } from '#contracts/entities/profile.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import { clearProfile } from './cleared-profile.ts'
import { exportOf, type ExportFormat } from './exports/index.ts'
import { readProfile } from './profile.ts'

export interface ProfileInput {
  database: string
  traceId: string
  prices: readonly OwnPrice[]
  /** To write it for another program, with its texts cleared. */
  write?: { format: ExportFormat; gate: GateInput; version: string }
}

/** The profile of a session or recorded trace, or the text of its export. Null if there is none. */
export default function profile({ database, traceId, prices, write }: ProfileInput): Profile | string | null {
  const read = readProfile(readOnlyOfThread(database), traceId, prices)
  if (read === null || write === undefined) return read
  return `${JSON.stringify(exportOf(write.format, clearProfile(read, write.gate), write.version))}\n`
}
