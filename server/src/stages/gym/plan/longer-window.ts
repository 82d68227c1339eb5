import type { PlanNote } from '#contracts/entities/run.ts'
import { note } from './note.ts'

/** Below this share of the tokens, a longer window is worth a note. */
const WORTH = 0.75

export interface WindowCost {
  maxLength: number
  tokens: number
  trained: number | null
}

/** What a longer window would save, because each further part of a row repeats the task, the tools and some context. */
export function* longerWindowNotes(now: WindowCost, longer: readonly (WindowCost & { fits: boolean })[]): Generator<PlanNote> {
  const saving = longer.filter(({ tokens, trained }) => tokens <= WORTH * now.tokens && (trained ?? 0) >= (now.trained ?? 0))
  const best = saving.filter(({ fits }) => fits).toSorted((a, b) => a.tokens - b.tokens)[0] ?? saving.at(-1)
  if (!best) return
  const message = `At ${now.maxLength} tokens, ${million(now.tokens)} tokens are computed for ${million(now.trained ?? 0)} that are trained; at ${best.maxLength} it would be ${million(best.tokens)}.`
  const hint = best.fits ? `Set the max length to ${best.maxLength}.` : `That does not fit the memory of this machine.`
  yield note('info', 'longer_window', message, hint, { field: 'maxLength', apply: best.fits ? { maxLength: best.maxLength } : null })
}

const million = (count: number) => (count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(2)} M`)
