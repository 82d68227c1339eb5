import type { Agreement, AnswerRun, CaseCheck } from '#contracts/entities/answer.ts'
import { DASH } from '#renderer/ui/format.ts'
import type { Tone } from '#renderer/ui/badge.tsx'

export const ALL_ANSWERS = { href: '/evaluator/answers', label: 'All graded answers' }
export const ALL_SETS = { href: '/evaluator/sets', label: 'All own sets' }
export const answersHref = (id: string): string => `/evaluator/answers/${id}`
export const RUBRICS_HREF = '/evaluator/answers/rubrics'
export const setHref = (id: string): string => `/evaluator/sets/${id}`

export const RUN_STATES: Readonly<Record<AnswerRun['state'], { label: string; tone: Tone }>> = {
  prepared: { label: 'Not started', tone: 'neutral' },
  queued: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Asking', tone: 'accent' },
  done: { label: 'All asked', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  stopped: { label: 'Stopped', tone: 'warn' },
}

/** `code_quality` as words. */
export const metricWord = (metric: string): string => {
  const words = metric.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

export const AGREEMENT_TONES: Readonly<Record<Agreement['state'], Tone>> = { not_measured: 'neutral', unreliable: 'bad', usable: 'ok' }

/** What the labels of the user show about the grades of a model. */
export function agreementText(agreement: Agreement | null): string {
  if (agreement === null || agreement.state === 'not_measured')
    return agreement === null ? 'not measured' : `not measured (${agreement.labels} of ${agreement.needed} labels)`
  const figure = (value: number | null) => (value === null ? DASH : value.toFixed(2))
  const sentence = `κ ${figure(agreement.kappa)} [${figure(agreement.low)}, ${figure(agreement.high)}] from ${agreement.labels} labels`
  return agreement.state === 'unreliable' ? `${sentence}: do not rely on it` : sentence
}

/** Its kind, and what it wants. */
export const checkText = ({ kind, value }: CaseCheck): string => `${kind}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
