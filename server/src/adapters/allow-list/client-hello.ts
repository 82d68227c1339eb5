/** Reads the server name in the first message of a TLS client, which is not encrypted (RFC 8446 §4.1.2, RFC 6066 §3). */

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0
const RECORD_HEADER = 5

/** `more`: the message is not complete yet. `not-tls`: it is not such a message. `name` is null if the client sends none. */
export type Hello = 'more' | 'not-tls' | { name: string | null }

/** Reads the first bytes of a connection. A message in several records, which no client sends, counts as `not-tls`. */
export function readHello(bytes: Buffer): Hello {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return 'not-tls'
  if (bytes.length < RECORD_HEADER) return 'more'
  const end = RECORD_HEADER + bytes.readUInt16BE(3)
  if (end > RECORD_HEADER + 16_384) return 'not-tls'
  if (bytes.length < end) return 'more'
  try {
    return { name: nameIn(bytes.subarray(RECORD_HEADER, end)) }
  } catch (error) {
    if (error instanceof RangeError) return 'not-tls' // a length exceeds the message
    throw error
  }
}

function nameIn(message: Buffer): string | null {
  if (message.readUInt8(0) !== CLIENT_HELLO || 4 + message.readUIntBE(1, 3) !== message.length) throw new RangeError('no client hello')
  let at = 4 + 2 + 32 // its header, a version, random bytes
  at += 1 + message.readUInt8(at) // session id
  at += 2 + message.readUInt16BE(at) // cipher suites
  at += 1 + message.readUInt8(at) // compression methods
  if (at === message.length) return null
  const end = at + 2 + message.readUInt16BE(at)
  if (end !== message.length) throw new RangeError('extensions of another length')
  at += 2
  let name: string | null = null
  while (at < end) {
    const type = message.readUInt16BE(at)
    const size = message.readUInt16BE(at + 2)
    at += 4
    if (type === SERVER_NAME) {
      // Two extensions, several names or another kind of name: no client sends this, and servers may interpret it differently.
      const length = message.readUInt16BE(at + 3)
      if (name !== null || message.readUInt16BE(at) !== size - 2 || message.readUInt8(at + 2) !== 0 || length !== size - 5)
        throw new RangeError('server name')
      name = message.toString('latin1', at + 5, at + 5 + length)
    }
    at += size
  }
  if (at !== end) throw new RangeError('extensions')
  return name
}
