import type { ClearedRequest } from '#server/adapters/llm/cleared.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'
import { type GateInput, openGate } from './gate.ts'
import type { KnownSecrets } from './known-secrets.ts'
import type { LabelNumbers } from './replace/index.ts'

export interface ClearRequestInput {
  request: ChatRequest
  gate: GateInput & { labels: LabelNumbers; known: KnownSecrets }
}

export interface ClearRequestOutput {
  request: ClearedRequest
  labels: LabelNumbers
  known: KnownSecrets
  unscanned: number
}

/** Clears one request in a worker. */
export default function clearRequest({ request, gate }: ClearRequestInput): ClearRequestOutput {
  const opened = openGate(gate)
  return { request: opened.clearRequest(request), labels: gate.labels, known: opened.known(), unscanned: opened.report().unscanned }
}
