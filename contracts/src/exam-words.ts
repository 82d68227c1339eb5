import type { Evaluation, ExamVerdict } from './entities/evaluation.ts'
import type { ExamResult } from './entities/exam.ts'
import { plural } from './plural.ts'
import type { ReadingReason } from './entities/thermometer.ts'

/** A verdict as people read it, on the command line and in the app. */
export const VERDICT_WORDS: Readonly<Record<ExamVerdict, string>> = {
  ship: 'Better',
  not_proven: 'Not proven',
  bounded_null: 'No effect that counts',
  worse: 'Worse',
  refused: 'No verdict',
}

/** A difference with its sign, such as +.100; none has no sign. */
export const signed = (value: number): string => {
  const figure = Math.abs(value).toFixed(3).replace(/^0/, '')
  return `${figure === '.000' ? '' : value < 0 ? '−' : '+'}${figure}`
}

export const intervalText = ({ low, high }: ExamResult['intervals']['clustered']): string =>
  low === null || high === null ? 'not measured' : `${signed(low)} to ${signed(high)}`

/** Fewer sessions decide nothing. */
export const LEAST_SESSIONS = 20

/** What would have to be there for a decision; null if nothing is missing, or only what the reason of the verdict names. */
export const neededText = ({ needed, sessions }: Pick<ExamResult, 'needed' | 'sessions'>): string | null =>
  needed === null || needed <= LEAST_SESSIONS ? null : `About ${plural(needed, 'session')} would be needed; this exam has ${sessions}.`

/** What an exam decided about a model. */
export type Verdict = NonNullable<Evaluation['exam']> & Pick<Evaluation, 'value' | 'n' | 'at'>

export const verdictOf = ({ exam, value, n, at }: Evaluation): Verdict | null => exam && { ...exam, value, n, at }

/** The one verdict of a model that counts: a proof stays until a run finds the opposite. Null if no exam decided about the model. */
export const countingVerdict = (evaluations: readonly Evaluation[]): Verdict | null => {
  const found = evaluations.find(({ exam }) => exam !== null && exam.standing !== 'beside')
  return found === undefined ? null : verdictOf(found)
}

/** The verdict that counts, and a newer one that does not. */
export function verdictLines(evaluations: readonly Evaluation[]): string[] {
  const [counting, newest] = [countingVerdict(evaluations), evaluations.flatMap((one) => verdictOf(one) ?? []).at(-1)]
  if (counting === null) return []
  const later = newest === undefined || newest.run === counting.run ? [] : [`Newer, and no evidence against it: ${verdictLine(newest)}`]
  return [verdictLine(counting), ...later]
}

export const NOT_EXAMINED = 'Not examined: no exam has compared it with the model that it was trained from.'

/** One line, such as "Better, compared with base: +.100 (+.040 to +.160), exam Mine, 24 sessions, 2026-11-28". */
export function verdictLine({ verdict, against, value, interval, name, n, at }: Verdict): string {
  const difference = value === null ? 'no difference measured' : `${signed(value)} (${intervalText(interval ?? { low: null, high: null })})`
  return `${VERDICT_WORDS[verdict]}, compared with ${against}: ${difference}, exam ${name}, ${n === null ? 'no sessions' : plural(n, 'session')}, ${at.slice(0, 10)}`
}

/** Why a reading of the thermometer was taken. */
export const READING_REASONS: Readonly<Record<ReadingReason, string>> = {
  on: 'switched on',
  date: 'its date',
  client: 'a new version of Claude Code',
  model: 'a new model',
  user: 'by hand',
}

export const READING_SHOWS: Readonly<Record<'rise' | 'fall' | 'nothing', string>> = {
  rise: 'Better than before',
  fall: 'Worse than before',
  nothing: 'No difference shown',
}
