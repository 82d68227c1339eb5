import type { ClearedRequest } from '#server/adapters/llm/cleared.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'
import { type GateInput, openGate } from './gate.ts'

export interface ClearRequestInput {
  request: ChatRequest
  gate: GateInput
}

/** Clears one request in a worker. */
export default function clearRequest({ request, gate }: ClearRequestInput): ClearedRequest {
  return openGate(gate).clearRequest(request)
}
