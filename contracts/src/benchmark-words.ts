import type { BenchmarkFigure, BenchmarkState, BenchmarkVerdict } from './entities/benchmark.ts'
import { signed } from './exam-words.ts'

export const BENCHMARK_STATE_WORDS: Readonly<Record<BenchmarkState, string>> = {
  ready: 'ready',
  can_be_fetched: 'can be fetched',
  needs_files: 'needs files',
  not_available: 'not available here',
}

export const BENCHMARK_VERDICT_WORDS: Readonly<Record<BenchmarkVerdict, string>> = {
  pass: 'right',
  fail: 'wrong',
  truncated: 'cut off',
  timeout: 'out of time',
  not_scored: 'not scored',
  error: 'no verdict',
}

/** A share in percent; a bias score between −1 and 1. */
export const figureText = ({ name, value }: Pick<BenchmarkFigure, 'name' | 'value'>): string =>
  value === null ? 'not measured' : name.startsWith('bias') ? signed(value) : `${(100 * value).toFixed(1)} %`

/** Its 95 % interval. */
export const figureInterval = ({ low, high }: Pick<BenchmarkFigure, 'low' | 'high'>): string =>
  low === null || high === null ? 'not measured' : `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`
