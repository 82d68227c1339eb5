import { Transform } from 'node:stream'

const MARK = '[key]'

/** Replaces a secret in a stream. Bytes that may be the start of the secret wait for the next chunk. */
export function redactingStream(secret: string | null): Transform {
  const needle = Buffer.from(secret ?? '')
  let buffered: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (needle.length === 0) return done(null, chunk)
      let bytes = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle)) {
        this.push(bytes.subarray(0, at))
        this.push(MARK)
        bytes = bytes.subarray(at + needle.length)
      }
      const overlap = overlapAtEnd(bytes, needle)
      buffered = bytes.subarray(bytes.length - overlap)
      done(null, bytes.subarray(0, bytes.length - overlap))
    },
    flush(done) {
      done(null, buffered)
    },
  })
}

/** The number of bytes at the end that are the start of `needle`. */
function overlapAtEnd(bytes: Buffer, needle: Buffer): number {
  for (let length = Math.min(needle.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(needle.subarray(0, length))) return length
  return 0
}

export const redact = (text: string, secret: string | null): string => (secret ? text.replaceAll(secret, MARK) : text)
