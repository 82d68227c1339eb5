export { type Body, decode, type Received, type ReceivedLog, type ReceivedSpan, type Scalar, TooLarge, Unreadable } from './decode.ts'
export { encode, type TraceDocument } from './encode.ts'
export { Busy, openOtlpListener, type OtlpListener } from './listener.ts'
export { sendSpans } from './send.ts'
