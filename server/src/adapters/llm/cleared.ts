import { createHmac, randomBytes } from 'node:crypto'
import type { ChatRequest } from './types.ts'

declare const cleared: unique symbol
/**
 * A value that passed the privacy gate, which is the only code that can create one. Everything that writes a data set, an
 * export or a request accepts only `Cleared<…>`, so that the compiler enforces the gate.
 */
export type Cleared<T> = T & { readonly [cleared]: true }

/** A request that may leave this machine. Types do not exist at run time, so the seal proves that the gate created exactly this request. */
export type ClearedRequest<Request extends ChatRequest = ChatRequest> = Cleared<Request> & { readonly seal: string }

/** One key per process. A gate in a worker thread gets it with its input. */
export const SEAL_KEY: Uint8Array = randomBytes(32)

/** For the privacy gate only. */
export const sealOf = (request: Cleared<ChatRequest>, key: Uint8Array): string => digest(request, key)

export function isSealed({ seal, ...request }: ChatRequest & { readonly seal?: unknown }): boolean {
  return seal === digest(request, SEAL_KEY)
}

const digest = (request: ChatRequest, key: Uint8Array) => createHmac('sha256', key).update(JSON.stringify(request)).digest('hex')
