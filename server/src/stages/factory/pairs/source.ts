import { ExampleOptions } from '#contracts/entities/example.ts'
import type { Core } from '#server/core.ts'
import type { RowSource } from '../curate/candidate.ts'
import { searchPairs } from './find.ts'
import type { PreferencePiece } from './preference-reader.ts'
import type { PairStore } from './store.ts'
import type { Preferred } from './types.ts'

const PAIRS_AT_A_TIME = 50
const TRACES_AT_A_TIME = 20

/** Preference rows for data sets: pairs looked for anew in the chosen sessions, less those that the review rejected. */
export const preferenceSource = (core: Core, store: PairStore, preferred: () => Preferred[]): RowSource => ({
  kinds: ['dpo'],
  module: new URL('./preference-reader.ts', import.meta.url).href,
  async plan(chosen, rowSpec, context) {
    const options = ExampleOptions.parse(rowSpec.examples)
    const { pairs, left } = await searchPairs(core, chosen, { options, preferred: preferred(), gate: null }, context)
    const states = store.states()
    const all = pairs.map((pair) => ({ pair, state: states.get(pair.id) ?? ('proposed' as const) }))
    const pieces: PreferencePiece[] = [{ options, review: rowSpec.review, pairs: [], left }]
    for (let at = 0; at < all.length; at += PAIRS_AT_A_TIME)
      pieces.push({ options, review: rowSpec.review, pairs: all.slice(at, at + PAIRS_AT_A_TIME), left: [] })
    return pieces
  },
})

/** Labelled rows: what gold and silver sessions did is wanted, what failed ones did is not; refused and corrected calls both. */
export const labelledSource = (): RowSource => ({
  kinds: ['kto'],
  module: new URL('./labelled-reader.ts', import.meta.url).href,
  plan(chosen, rowSpec) {
    const options = ExampleOptions.parse(rowSpec.examples)
    return Array.from({ length: Math.ceil(chosen.length / TRACES_AT_A_TIME) }, (_, at) => ({
      options,
      review: rowSpec.review,
      traceIds: chosen.slice(at * TRACES_AT_A_TIME, (at + 1) * TRACES_AT_A_TIME),
    }))
  },
})
