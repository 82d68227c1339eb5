import { z } from 'zod'
import { RunId } from './entities/run.ts'
import type { ErrorCode } from './errors.ts'

/** Carries bytes in both directions. It is separate from the event socket so that messages never queue behind bytes. */
export const STREAMS_PATH = '/ws/streams'

/** Maximum bytes of a stream that may be sent without an ack, in each direction. */
export const STREAM_WINDOW = 256 * 1024
/** A receiver acks at least once per this many bytes. It must be less than the window, or both sides would wait forever. */
export const ACK_EVERY = 64 * 1024
/** Maximum bytes in a binary frame, so that the frame with its header stays below the largest payload the server accepts. */
export const MAX_PER_FRAME = 60 * 1024
/** Maximum number of open streams per connection. */
export const MAX_STREAMS = 32

/** A kind of stream, defined once like a route: the format of its id and the errors that opening it can return. */
export interface StreamKind {
  readonly name: string
  readonly summary: string
  readonly id: z.ZodType<string>
  readonly errors: readonly ErrorCode[]
}

export const runLog = {
  name: 'run-log',
  summary: 'The log file of a training run; it ends when the run does',
  id: RunId,
  errors: ['run_not_found', 'invalid_request'],
} as const satisfies StreamKind

export const sandboxSession = {
  name: 'sandbox-session',
  summary: 'What a session of a sandbox shows. Its id is SANDBOX/SESSION/WINDOW; what the window writes is typed while it has taken over',
  id: z.string().regex(/^[^/]{1,100}\/[a-z0-9][a-z0-9-]{0,39}(\/[A-Za-z0-9-]{1,40})?$/),
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found', 'session_exited', 'invalid_request'],
} as const satisfies StreamKind

export const streamKinds: readonly StreamKind[] = [runLog, sandboxSession]

/** Identifies a stream within its connection. The client chooses the number and uses each number only once. */
const StreamNumber = z.number().int().min(1).max(0xffff_ffff)
const Offset = z.number().int().min(0)

/** Text frames that the client sends. */
export const StreamRequest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('open'),
    stream: StreamNumber,
    kind: z.string().max(40),
    id: z.string().max(200),
    from: Offset.default(0).meta({ description: 'the first byte that is wanted' }),
    key: z.string().max(200).optional().meta({ description: 'session key, in the first frame of a browser' }),
  }),
  z.object({ type: z.literal('ack'), stream: StreamNumber, offset: Offset.meta({ description: 'all bytes before it were taken in' }) }),
  z.object({
    type: z.literal('resize'),
    stream: StreamNumber,
    columns: z.number().int().min(2).max(500),
    rows: z.number().int().min(2).max(500),
  }),
  z.object({ type: z.literal('close'), stream: StreamNumber }),
])
export type StreamRequest = z.infer<typeof StreamRequest>
export type StreamSize = Pick<Extract<StreamRequest, { type: 'resize' }>, 'columns' | 'rows'>

const StreamError = z.object({ code: z.string(), message: z.string(), hint: z.string().optional(), details: z.unknown().optional() })

/** Text frames that the server sends. Bytes, gaps and the end of a stream arrive in order. */
export const StreamReply = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), stream: StreamNumber, isWritable: z.boolean() }),
  z.object({
    type: z.literal('gap'),
    stream: StreamNumber,
    from: Offset,
    to: Offset.meta({ description: 'bytes from `from` up to this one are no longer kept' }),
  }),
  z.object({ type: z.literal('ack'), stream: StreamNumber, offset: Offset.meta({ description: 'bytes of the client that were written' }) }),
  z.object({
    type: z.literal('end'),
    stream: StreamNumber,
    reason: z.enum(['finished', 'failed']),
    error: StreamError.nullable(),
  }),
])
export type StreamReply = z.infer<typeof StreamReply>
export type StreamEnd = Omit<Extract<StreamReply, { type: 'end' }>, 'type' | 'stream'>

const HEAD = 12

/** Builds a binary frame: stream (u32) and offset of the first byte (u64), both big-endian, then the bytes. */
export function streamFrame(stream: number, offset: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(HEAD + bytes.length)
  const head = new DataView(frame.buffer)
  head.setUint32(0, stream)
  head.setBigUint64(4, BigInt(offset))
  frame.set(bytes, HEAD)
  return frame
}

/** Returns null if the input is not a valid frame. `bytes` is a view of the input, not a copy. */
export function readStreamFrame(frame: Uint8Array): { stream: number; offset: number; bytes: Uint8Array } | null {
  if (frame.length < HEAD) return null
  const head = new DataView(frame.buffer, frame.byteOffset, HEAD)
  const offset = Number(head.getBigUint64(4))
  return Number.isSafeInteger(offset) ? { stream: head.getUint32(0), offset, bytes: frame.subarray(HEAD) } : null
}
