import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** A stream of numbers determined by a key and a label. */
export interface Draw {
  /** A whole number from 0 to `n` − 1. */
  below(n: number): number
  /** One item of a list. */
  of<T>(list: readonly T[]): T
  /** `count` decimal digits. */
  digits(count: number): string
}

const WORD_BYTES = 6

/** Preparing a key takes seven times as long as a digest, so it is done once per key. */
const ready = new WeakMap<Buffer, KeyObject>()
function hmac(key: Buffer, text: string) {
  let secret = ready.get(key)
  if (!secret) ready.set(key, (secret = createSecretKey(key)))
  return createHmac('sha256', secret).update(text)
}

/** HMAC-SHA-256 in counter mode. Taking the remainder adds a bias below 2⁻²⁰, which is small enough for replacements. */
export function draw(key: Buffer, label: string): Draw {
  let block = Buffer.alloc(0)
  let at = 0
  let counter = 0
  const below = (n: number) => {
    if (at + WORD_BYTES > block.length) {
      block = hmac(key, `${counter++}\0${label}`).digest()
      at = 0
    }
    const word = block.readUIntBE(at, WORD_BYTES)
    at += WORD_BYTES
    return word % n
  }
  return {
    below,
    of: (list) => list[below(list.length)]!,
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  }
}

/** Keyed digest in hex. */
export const digest = (key: Buffer, text: string, hex: number): string => hmac(key, text).digest('hex').slice(0, hex)
