import { parse, type ParsedScript } from 'unbash'
import type { Span } from './actions.ts'

interface Reading {
  script: ParsedScript
  /** The place of a part of the script in the text. */
  spanOf: (span: Span) => Span
}

/**
 * Reads a text as Bash. zsh also takes a function whose body starts or ends without a space (`f(){f|f&}`), which Bash
 * refuses: such a text is read as zsh would.
 */
export function readShell(source: string): Reading {
  const script = parse(source)
  const faults = script.errors?.length ?? 0
  if (faults === 0) return { script, spanOf: (span) => span }
  const added = placesToSpread(source)
  if (added.length > 0) {
    const spread = parse(added.map((at, index) => source.slice(added[index - 1] ?? 0, at)).join('\n') + `\n${source.slice(added.at(-1))}`)
    if ((spread.errors?.length ?? 0) < faults) {
      const before = (position: number) => position - countBelow(added, position)
      return { script: spread, spanOf: ({ start, end }) => ({ start: before(start), end: before(end) }) }
    }
  }
  return { script, spanOf: (span) => span }
}

const BODY = /(?:\([ \t]*\)|\bfunction[ \t]+[^\s(){}'"]+)\s*(?=\{)/g

/** Around the `{` and before the `}` of each function body. */
function placesToSpread(source: string): number[] {
  const bodies = new Set(Array.from(source.matchAll(BODY), ({ 0: { length }, index }) => index + length))
  if (bodies.size === 0) return []
  const places: number[] = []
  const open: boolean[] = []
  let quote = ''
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    if (quote !== '') {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"') at += 1
    } else if (char === '\\') at += 1
    else if (char === "'" || char === '"') quote = char
    else if (char === '{') {
      open.push(bodies.has(at))
      if (bodies.has(at)) places.push(at, at + 1)
    } else if (char === '}' && open.pop()) places.push(at)
  }
  return places
}

/** How many line breaks were added before a position in the spread text; `places` are ascending positions in the source. */
function countBelow(places: readonly number[], position: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! + middle < position) low = middle + 1
    else high = middle
  }
  return low
}
