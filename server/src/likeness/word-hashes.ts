/** Scripts without spaces between words. Each character counts as a word; otherwise a whole sentence would be one word. */
export const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`

const BASIS = 2_166_136_261
const PRIME = 16_777_619
const IS_UNSPACED = new RegExp(UNSPACED, 'v')

/** The hash of each word. Words are not built as strings, because that would take most of the time. */
export function wordHashes(text: string): Int32Array {
  const hashes = new Int32Array(text.length)
  let [count, value, isOpen] = [0, BASIS, false]
  const close = () => {
    if (isOpen) hashes[count++] = mix32(value)
    value = BASIS
    isOpen = false
  }
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 32 || (code >= 9 && code <= 13)) close()
    else if (code < 128) {
      value = Math.imul(value ^ code, PRIME)
      isOpen = true
    } else {
      const sign = String.fromCodePoint(text.codePointAt(index)!)
      index += sign.length - 1
      if (IS_UNSPACED.test(sign)) {
        close()
        hashes[count++] = hash32(sign)
      } else if (/\s/.test(sign)) close()
      else {
        for (let at = 0; at < sign.length; at += 1) value = Math.imul(value ^ sign.charCodeAt(at), PRIME)
        isOpen = true
      }
    }
  }
  close()
  return hashes.slice(0, count)
}

/** FNV-1a over UTF-16 units; each `seed` gives a different hash function. */
export function hash32(text: string, seed = 0): number {
  let value = BASIS ^ seed
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), PRIME)
  return mix32(value)
}

/** The finaliser of MurmurHash3: every input bit affects all output bits. */
export function mix32(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
