/** No command that a person writes expands to more words. */
const MAX_WORDS = 512

/** The words that `a{b,c}d` or `{1..3}` expands to, still quoted; null if there are too many. */
export function expandBraces(source: string): string[] | null {
  const open = findBraces(source)
  if (!open) return [source]
  const [start, end, options] = open
  const tails = expandBraces(source.slice(end))
  if (!tails) return null
  const out: string[] = []
  for (const option of options) {
    const middles = expandBraces(option)
    if (!middles || out.length + middles.length * tails.length > MAX_WORDS) return null
    for (const middle of middles) for (const tail of tails) out.push(source.slice(0, start) + middle + tail)
  }
  return out
}

/** The first braces that expand: start, end, and the text of each alternative. */
function findBraces(source: string): [number, number, string[]] | null {
  for (let at = 0; at < source.length; at = nextIndex(source, at)) {
    if (source[at] !== '{' || source[at - 1] === '$') continue
    const parts = partsOf(source, at)
    if (!parts) continue
    const [end, list] = parts
    if (list.length > 1) return [at, end, list]
    const range = expandSequence(list[0]!)
    if (range) return [at, end, range]
  }
  return null
}

function partsOf(source: string, open: number): [number, string[]] | null {
  const list: string[] = []
  let depth = 0
  let from = open + 1
  for (let at = open + 1; at < source.length; at = nextIndex(source, at)) {
    if (source[at] === '{') depth += 1
    else if (source[at] === ',' && depth === 0) {
      list.push(source.slice(from, at))
      from = at + 1
    } else if (source[at] === '}' && depth-- === 0) return [at + 1, [...list, source.slice(from, at)]]
  }
  return null
}

/** The next index after this character, or after the quoted, escaped or expanded part that starts here. */
function nextIndex(source: string, at: number): number {
  const char = source[at]
  if (char === '\\') return at + 2
  if (char === "'" || char === '"' || char === '`') {
    for (let index = at + 1; index < source.length; index++) {
      if (source[index] === '\\' && char !== "'") index += 1
      else if (source[index] === char) return index + 1
    }
    return source.length
  }
  if (char === '$' && (source[at + 1] === '{' || source[at + 1] === '(')) {
    const close = source[at + 1] === '{' ? '}' : ')'
    let depth = 0
    for (let index = at + 1; index < source.length; index++) {
      if (source[index] === source[at + 1]) depth += 1
      else if (source[index] === close && --depth === 0) return index + 1
    }
    return source.length
  }
  return at + 1
}

function expandSequence(inner: string): string[] | null {
  const match = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])(?:\.\.(-?\d{1,6}))?$/.exec(inner)
  if (!match) return null
  const isNumber = /\d/.test(match[1]!)
  if (isNumber !== /\d/.test(match[2]!)) return null
  const code = (text: string) => (isNumber ? Number(text) : text.charCodeAt(0))
  const [from, to, step] = [code(match[1]!), code(match[2]!), Math.abs(Number(match[3] ?? 1)) || 1]
  const out: string[] = []
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    if (out.length >= MAX_WORDS) return null
    out.push(isNumber ? String(value) : String.fromCharCode(value))
  }
  return out
}
