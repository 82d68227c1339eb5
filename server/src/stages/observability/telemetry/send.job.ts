import { encode } from '#server/adapters/otlp/index.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import type { Cleared, GateInput } from '#server/stages/privacy/index.ts'
import { clearProfile, withoutPrompts } from '../cleared-profile.ts'
import { otlpOf } from '../exports/otlp.ts'
import { readProfile } from '../profile.ts'

export interface SendInput {
  database: string
  id: string
  prices: readonly OwnPrice[]
  gate: GateInput
  version: string
}

/** The spans of a session or recorded trace as a collector takes them, without prompts and with their texts cleared. Null if it is gone. */
export default function bytesToSend({ database, id, prices, gate, version }: SendInput): Cleared<Uint8Array> | null {
  const profile = readProfile(readOnlyOfThread(database), id, prices)
  return profile && (encode(otlpOf(clearProfile(withoutPrompts(profile), gate), version)) as Cleared<Uint8Array>)
}
