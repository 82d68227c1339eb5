import { z } from 'zod'
import { RunId } from './entities/run.ts'
import type { ErrorCode } from './errors.ts'

/** Bytes both ways, beside the event socket: messages never queue behind them. */
export const STREAMS_PATH = '/ws/streams'

/** Bytes of a stream that may be on their way without an ack, each way. */
export const STREAM_WINDOW = 256 * 1024
/** A receiver acks at least this often, in bytes; less than the window, or both sides would wait. */
export const ACK_EVERY = 64 * 1024
/** Most bytes in a binary frame: with its head it stays below the largest payload that is taken. */
export const MAX_PER_FRAME = 60 * 1024
/** Streams of one connection that may be open at a time. */
export const MAX_STREAMS = 32

/** What a stream can be of, defined once as a route is: its id, and what opening it can fail with. */
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

/** Every kind of stream of the product. */
export const streamKinds: readonly StreamKind[] = [runLog, sandboxSession]

/** A stream in its connection; the client gives the number, each only once. */
const StreamNumber = z.number().int().min(1).max(0xffff_ffff)
const Offset = z.number().int().min(0)

/** Text frames of the client. */
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

/** Text frames of the server. Bytes, gaps and the end of a stream come in their order. */
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

/** A binary frame: stream (u32), offset of its first byte (u64), both big-endian, then the bytes. */
export function streamFrame(stream: number, offset: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(HEAD + bytes.length)
  const head = new DataView(frame.buffer)
  head.setUint32(0, stream)
  head.setBigUint64(4, BigInt(offset))
  frame.set(bytes, HEAD)
  return frame
}

/** Null for what is not a frame. `bytes` is a view of what was given. */
export function readStreamFrame(frame: Uint8Array): { stream: number; offset: number; bytes: Uint8Array } | null {
  if (frame.length < HEAD) return null
  const head = new DataView(frame.buffer, frame.byteOffset, HEAD)
  const offset = Number(head.getBigUint64(4))
  return Number.isSafeInteger(offset) ? { stream: head.getUint32(0), offset, bytes: frame.subarray(HEAD) } : null
}
