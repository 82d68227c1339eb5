/**
 * A value that may be JSON-escaped, percent-encoded or split by colour codes. `plain` is the decoded value. `encode` encodes
 * a replacement in the same way, so that the text around it stays valid.
 */
export interface EncodedValue {
  plain: string
  encode: (replacement: string) => string
}

// oxlint-disable-next-line no-control-regex -- matches terminal codes
const ANSI = /\u001B(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/
const PERCENT = /%[\da-fA-F]{2}/
const DEEPEST = 4

export function decodeValue(raw: string): EncodedValue {
  let decoded: EncodedValue = { plain: raw, encode: (text) => text }
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const inner = fromJson(decoded.plain) ?? fromUrl(decoded.plain) ?? fromAnsi(decoded.plain)
    if (!inner) break
    const outer = decoded
    decoded = { plain: inner.plain, encode: (text) => outer.encode(inner.encode(text)) }
  }
  return decoded
}

function fromJson(text: string): EncodedValue | null {
  if (!JSON_ESCAPE.test(text)) return null
  try {
    const plain: unknown = JSON.parse(`"${text}"`)
    return typeof plain === 'string' && plain !== text ? { plain, encode: (value) => JSON.stringify(value).slice(1, -1) } : null
  } catch {
    return null
  }
}

/** Decodes percent-encoding, except in a plain link, where it belongs to the parts. An encoded link ends at the next parameter. */
function fromUrl(text: string): EncodedValue | null {
  if (!PERCENT.test(text) || text.includes('://')) return null
  const tail = ENCODED_LINK.exec(text)?.[1] ?? ''
  try {
    const plain = decodeURIComponent(text.slice(0, text.length - tail.length)) + tail
    if (plain === text) return null
    const encode = (value: string) =>
      tail !== '' && value.endsWith(tail) ? encodeURIComponent(value.slice(0, -tail.length)) + tail : encodeURIComponent(value)
    return { plain, encode }
  } catch {
    return null
  }
}
const ENCODED_LINK = /^[a-z][a-z\d+.-]*%3A%2F%2F[^&#]*([&#].*)$/i

/** Puts the colour codes after the replacement, so that later colours are unchanged. */
function fromAnsi(text: string): EncodedValue | null {
  const codes = text.match(ANSI)
  return codes ? { plain: text.replaceAll(ANSI, ''), encode: (value) => value + codes.join('') } : null
}

const BASE64 = /^[\w+/-]{8,}={0,2}$/
const TEXT = /^[\P{C}\s]+$/u

/** Readable text in base64 (or base64url), or null. */
export function fromBase64(raw: string): EncodedValue | null {
  if (!BASE64.test(raw) || raw.replace(/=+$/, '').length % 4 === 1) return null
  const bytes = Buffer.from(raw, 'base64')
  const plain = bytes.toString('utf8')
  if (!TEXT.test(plain) || plain.includes('\uFFFD')) return null
  const isUrl = /[-_]/.test(raw)
  const isPadded = raw.endsWith('=') || raw.length % 4 === 0
  const encode = (text: string) => {
    const encoded = Buffer.from(text).toString(isUrl ? 'base64url' : 'base64')
    return isUrl && isPadded ? encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=') : isPadded ? encoded : encoded.replace(/=+$/, '')
  }
  return encode(plain) === raw ? { plain, encode } : null
}
