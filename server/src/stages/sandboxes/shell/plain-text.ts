/** Parser states of ECMA-48. ST or BEL ends a `string`; `string-escape` follows an ESC inside one. */
type State = 'text' | 'escape' | 'intermediate' | 'sequence' | 'string' | 'string-escape'

const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a

/** Removes escape sequences, including an unfinished one at the end. */
export function withoutEscapes(text: string): string {
  if (!text.includes('\x1b')) return text
  let state: State = 'text'
  let plain = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const previous = state
    state = next(state, code)
    if (previous === 'text' && state !== 'text') plain += text.slice(from, at)
    if (previous !== 'text' && state === 'text') from = at + 1
  }
  return state === 'text' ? plain + text.slice(from) : plain
}

const isBetween = (code: number, first: number, last: number) => code >= first && code <= last
/** ] P X ^ _ */
const BEGINS_STRING = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f])

function escape(code: number): State {
  if (code === 0x5b) return 'sequence' // [
  if (BEGINS_STRING.has(code)) return 'string'
  if (code === ESC) return 'escape'
  return isBetween(code, 0x20, 0x2f) ? 'intermediate' : 'text'
}

const NEXT = {
  text: (code) => (code === ESC ? 'escape' : 'text'),
  escape,
  intermediate: (code) => (isBetween(code, 0x20, 0x2f) ? 'intermediate' : 'text'),
  sequence(code) {
    if (code === ESC) return 'escape'
    return isBetween(code, 0x40, 0x7e) ? 'text' : 'sequence'
  },
  string(code) {
    if (code === ESC) return 'string-escape'
    return code === BEL ? 'text' : 'string'
  },
  'string-escape': (code) => (code === 0x5c ? 'text' : escape(code)),
} satisfies Record<State, (code: number) => State>

const next = (state: State, code: number): State => (state !== 'text' && (code === CAN || code === SUB) ? 'text' : NEXT[state](code))
