import type { PiiType } from '#contracts/entities/privacy.ts'
import { canonical } from './canonical.ts'

/** Numbers for the labels of one record: equal values share a number, different values of a type do not. */
export interface Numbering {
  numberOf(type: PiiType, value: string): number
  /** Starts the next record. `text` returns its content, because label numbers already in it must not be reused. */
  restart(text: () => string): void
}

const LABEL = /\[([A-Z_]{2,30})_(\d{1,9})\]|redacted-([a-z-]{2,30})-(\d{1,9})\.invalid/g

export function createNumbering(): Numbering {
  let numbers = new Map<string, number>()
  let lastNumbers: Map<string, number> | null = new Map()
  let textOf = () => ''
  const lastNumbersIn = (text: string) => {
    const numbersByType = new Map<string, number>()
    for (const [, bracketed, first, host, second] of text.matchAll(LABEL)) {
      const type = (bracketed ?? host!).toLowerCase().replaceAll('-', '_')
      numbersByType.set(type, Math.max(numbersByType.get(type) ?? 0, Number(first ?? second)))
    }
    return numbersByType
  }
  return {
    numberOf(type, value) {
      const valueKey = `${type}\0${canonical(type, value)}`
      const existing = numbers.get(valueKey)
      if (existing !== undefined) return existing
      lastNumbers ??= lastNumbersIn(textOf())
      const number = (lastNumbers.get(type) ?? 0) + 1
      lastNumbers.set(type, number)
      numbers.set(valueKey, number)
      return number
    },
    restart(text) {
      numbers = new Map()
      lastNumbers = null
      textOf = text
    },
  }
}
