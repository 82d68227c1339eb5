import { Transform } from 'node:stream'

const MARK = '[key]'

/** Removes a secret from passing bytes. Bytes that may be its beginning are kept back until the next chunk. */
export function redacting(secret: string | null): Transform {
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
      const keep = beginningAtEnd(bytes, needle)
      buffered = bytes.subarray(bytes.length - keep)
      done(null, bytes.subarray(0, bytes.length - keep))
    },
    flush(done) {
      done(null, buffered)
    },
  })
}

/** How many of the last bytes are the first ones of `needle`. */
function beginningAtEnd(bytes: Buffer, needle: Buffer): number {
  for (let length = Math.min(needle.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(needle.subarray(0, length))) return length
  return 0
}

export const redact = (text: string, secret: string | null): string => (secret ? text.replaceAll(secret, MARK) : text)
