import type { PairSource } from '#contracts/entities/example.ts'

export const SOURCES: readonly PairSource[] = ['task', 'decision', 'correction']

/** Where a pair comes from. */
export const SOURCE_WORDS: Record<PairSource, { label: string; meaning: string }> = {
  task: { label: 'Two sessions', meaning: 'the same task in two sessions of one repository, one of which went better' },
  decision: { label: 'Failed, then worked', meaning: 'a call that failed, and the one at the same decision that worked later' },
  correction: { label: 'Corrected', meaning: 'an edit that the user refused or corrected' },
}
