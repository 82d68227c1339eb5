import { ExampleOptions } from '#contracts/entities/example.ts'
import type { Core } from '#server/core.ts'
import type { RowSource } from '../curate/candidate.ts'
import { searchPairs } from './find.ts'
import type { PreferencePiece } from './preference-reader.ts'
import type { PairStore } from './store.ts'
import type { PreferredAttempt } from './types.ts'

const PAIRS_PER_PIECE = 50
const TRACES_PER_PIECE = 20

/** Preference rows for data sets: finds pairs in the chosen sessions again, and applies the user's reviews. */
export const preferenceSource = (core: Core, store: PairStore, preferred: () => PreferredAttempt[]): RowSource => ({
  kinds: ['dpo'],
  module: new URL('./preference-reader.ts', import.meta.url).href,
  async plan(chosen, rowSpec, context) {
    const { pairSources } = rowSpec
    if (pairSources?.every((source) => source === 'shadow')) return []
    const options = ExampleOptions.parse(rowSpec.examples)
    const { pairs: found, dropped } = await searchPairs(core, chosen, { options, preferred: preferred(), gate: null }, context)
    const pairs = pairSources ? found.filter(({ source }) => pairSources.includes(source)) : found
    const states = store.states()
    const reviewedPairs = pairs.map((pair) => ({ pair, state: states.get(pair.id) ?? ('proposed' as const) }))
    const pieces: PreferencePiece[] = [{ options, review: rowSpec.review, pairs: [], dropped }]
    for (let at = 0; at < reviewedPairs.length; at += PAIRS_PER_PIECE)
      pieces.push({ options, review: rowSpec.review, pairs: reviewedPairs.slice(at, at + PAIRS_PER_PIECE), dropped: [] })
    return pieces
  },
})

/** Labelled rows: true for gold and silver sessions and corrected calls, false for failed steps of failed sessions and for refused calls. */
export const labelledSource = (): RowSource => ({
  kinds: ['kto'],
  module: new URL('./labelled-reader.ts', import.meta.url).href,
  plan(chosen, rowSpec) {
    const options = ExampleOptions.parse(rowSpec.examples)
    return Array.from({ length: Math.ceil(chosen.length / TRACES_PER_PIECE) }, (_, at) => ({
      options,
      review: rowSpec.review,
      traceIds: chosen.slice(at * TRACES_PER_PIECE, (at + 1) * TRACES_PER_PIECE),
    }))
  },
})
