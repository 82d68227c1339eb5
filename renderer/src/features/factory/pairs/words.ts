import type { PairSource } from '#contracts/entities/example.ts'

export const SOURCES: readonly PairSource[] = ['task', 'decision', 'correction']

export const SOURCE_WORDS: Record<PairSource, { label: string; meaning: string }> = {
  task: { label: 'Two sessions', meaning: 'The same task in two sessions of one repository; one went better.' },
  decision: { label: 'Failed, then worked', meaning: 'A failed call and the later one that worked in its place.' },
  correction: { label: 'Corrected', meaning: 'An edit you rejected or corrected.' },
}
