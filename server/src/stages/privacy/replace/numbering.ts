import type { PiiType } from '#contracts/entities/privacy.ts'
import { canonical } from './canonical.ts'

/** Numbers for the labels of one record: equal values share one, different values of a type do not. */
export interface Numbering {
  numberOf(type: PiiType, value: string): number
  /** Starts the next record. `text` returns its content: numbers in it from an earlier pass are not used again. */
  restart(text: () => string): void
}

const LABEL = /\[([A-Z_]{2,30})_(\d{1,9})\]|redacted-([a-z-]{2,30})-(\d{1,9})\.invalid/g

export function createNumbering(): Numbering {
  let numbers = new Map<string, number>()
  let last: Map<string, number> | null = new Map()
  let textOf = () => ''
  const lastIn = (text: string) => {
    const found = new Map<string, number>()
    for (const [, bracketed, first, host, second] of text.matchAll(LABEL)) {
      const type = (bracketed ?? host!).toLowerCase().replaceAll('-', '_')
      found.set(type, Math.max(found.get(type) ?? 0, Number(first ?? second)))
    }
    return found
  }
  return {
    numberOf(type, value) {
      const known = `${type}\0${canonical(type, value)}`
      const before = numbers.get(known)
      if (before !== undefined) return before
      last ??= lastIn(textOf())
      const number = (last.get(type) ?? 0) + 1
      last.set(type, number)
      numbers.set(known, number)
      return number
    },
    restart(text) {
      numbers = new Map()
      last = null
      textOf = text
    },
  }
}
