import type { ExamResult, ExamVerdict } from './entities/exam.ts'

/** A verdict as people read it, on the command line and in the app. */
export const VERDICT_WORDS: Readonly<Record<ExamVerdict, string>> = {
  ship: 'Better',
  not_proven: 'Not proven',
  bounded_null: 'No effect that counts',
  worse: 'Worse',
  refused: 'No verdict',
}

/** A difference with its sign, such as +.100. */
export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3).replace(/^0/, '')}`

export const intervalText = ({ low, high }: ExamResult['intervals']['clustered']): string =>
  low === null || high === null ? 'not measured' : `${signed(low)} to ${signed(high)}`

/** What would have to be there for a decision; null if nothing is missing. */
export const neededText = ({ needed, sessions }: Pick<ExamResult, 'needed' | 'sessions'>): string | null =>
  needed === null ? null : `About ${needed} sessions would be needed; this exam has ${sessions}.`
