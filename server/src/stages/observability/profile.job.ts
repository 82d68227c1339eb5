import type { Profile } from '#contracts/entities/profile.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import { type GateInput, openGate } from '#server/stages/privacy/index.ts'
import { exportOf, type ExportFormat } from './exports/index.ts'
import { readProfile } from './profile.ts'

export interface ProfileInput {
  database: string
  traceId: string
  prices: readonly OwnPrice[]
  /** To write it for another program, with its texts cleared. */
  write?: { format: ExportFormat; gate: GateInput; version: string }
}

/** The profile of a session, or the text of its export. Null if there is no such session. */
export default function profile({ database, traceId, prices, write }: ProfileInput): Profile | string | null {
  const read = readProfile(readOnlyOfThread(database), traceId, prices)
  if (read === null || write === undefined) return read
  const texts = { title: read.title, labels: read.spans.map(({ label }) => label), names: read.spans.map(({ name }) => name) }
  const cleared: typeof texts = openGate(write.gate).clear(texts, { traceId, project: read.repo })
  const spans = read.spans.map((span, index) => ({ ...span, label: cleared.labels[index]!, name: cleared.names[index]! }))
  return `${JSON.stringify(exportOf(write.format, { ...read, title: cleared.title, spans }, write.version))}\n`
}
