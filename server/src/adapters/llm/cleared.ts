import { createHmac, randomBytes } from 'node:crypto'
import type { ChatRequest } from './types.ts'

declare const cleared: unique symbol
/**
 * A value that went through the privacy gate, which alone can make one: whatever writes a data set, an export or a
 * request takes `Cleared<…>` and nothing else, so that the compiler enforces it for every way out.
 */
export type Cleared<T> = T & { readonly [cleared]: true }

/** What may leave this machine. A type is gone at run time: the seal proves that the gate made exactly this request. */
export type ClearedRequest<Request extends ChatRequest = ChatRequest> = Cleared<Request> & { readonly seal: string }

/** Of this process. A gate in a worker thread is given it with its input. */
export const SEAL_KEY: Uint8Array = randomBytes(32)

/** For the privacy gate only. */
export const sealOf = (request: Cleared<ChatRequest>, key: Uint8Array): string => digest(request, key)

export function isSealed({ seal, ...request }: ChatRequest & { readonly seal?: unknown }): boolean {
  return seal === digest(request, SEAL_KEY)
}

const digest = (request: ChatRequest, key: Uint8Array) => createHmac('sha256', key).update(JSON.stringify(request)).digest('hex')
