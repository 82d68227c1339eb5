import type { OutcomeFact, OutcomeLabel } from '#contracts/entities/outcome.ts'
import type { Tone } from '#renderer/ui/badge.tsx'

export const OUTCOME_WORDS: Readonly<Record<OutcomeLabel, { label: string; tone: Tone }>> = {
  kept: { label: 'Kept', tone: 'ok' },
  corrected: { label: 'Corrected', tone: 'bad' },
  open: { label: 'Too early to tell', tone: 'neutral' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

export const FACT_INKS: Readonly<Record<OutcomeFact['result'], string>> = {
  good: 'text-ok',
  bad: 'text-bad',
  open: 'text-second',
  unknown: 'text-second',
}
