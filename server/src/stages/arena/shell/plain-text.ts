/** The states of ECMA-48: text, after ESC, in a control sequence, in a string that ST or BEL ends, after ESC in one. */
type State = 'text' | 'escape' | 'intermediate' | 'sequence' | 'string' | 'string-escape'

const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a

/** What a terminal would show as text, without its escape sequences; an unfinished one at the end is dropped. */
export function withoutEscapes(text: string): string {
  if (!text.includes('\x1b')) return text
  let state: State = 'text'
  let plain = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const before = state
    state = next(state, code)
    if (before === 'text' && state !== 'text') plain += text.slice(from, at)
    if (before !== 'text' && state === 'text') from = at + 1
  }
  return state === 'text' ? plain + text.slice(from) : plain
}

function next(state: State, code: number): State {
  if (state === 'text') return code === ESC ? 'escape' : 'text'
  if (code === CAN || code === SUB) return 'text'
  switch (state) {
    case 'escape':
      if (code === 0x5b) return 'sequence' // [
      if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) return 'string' // ] P X ^ _
      if (code === ESC) return 'escape'
      return code >= 0x20 && code <= 0x2f ? 'intermediate' : 'text'
    case 'intermediate':
      return code >= 0x20 && code <= 0x2f ? 'intermediate' : 'text'
    case 'sequence':
      if (code === ESC) return 'escape'
      return code >= 0x40 && code <= 0x7e ? 'text' : 'sequence'
    case 'string':
      if (code === ESC) return 'string-escape'
      return code === BEL ? 'text' : 'string'
    case 'string-escape':
      return code === 0x5c ? 'text' : next('escape', code)
  }
}
