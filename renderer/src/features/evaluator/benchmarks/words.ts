import type { BenchmarkRun, BenchmarkState, BenchmarkVerdict } from '#contracts/entities/benchmark.ts'
import type { Tone } from '#renderer/ui/badge.tsx'
import { benchmarksHref } from '#renderer/app/links.ts'

export const ALL_BENCHMARKS = { href: benchmarksHref, label: 'All benchmarks' }

export const SET_TONES: Readonly<Record<BenchmarkState, Tone>> = {
  ready: 'ok',
  can_be_fetched: 'accent',
  needs_files: 'neutral',
  not_available: 'neutral',
}

export const RUN_WORDS: Readonly<Record<BenchmarkRun['state'], { label: string; tone: Tone }>> = {
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Done', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  stopped: { label: 'Stopped', tone: 'bad' },
}

export const VERDICT_TONES: Readonly<Record<BenchmarkVerdict, Tone>> = {
  pass: 'ok',
  fail: 'bad',
  truncated: 'warn',
  timeout: 'warn',
  not_scored: 'neutral',
  error: 'warn',
}
