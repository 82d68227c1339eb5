import type { ExamRunRequest } from '#contracts/entities/exam.ts'
import type { Probe } from '#contracts/entities/probe.ts'
import { type GeneralResult, generalNotes } from '../general.ts'
import type { RunRow } from './store.ts'

export interface Known {
  request: Pick<ExamRunRequest, 'model'>
  sides: Pick<RunRow['sides'], 'model' | 'base'>
  general: readonly GeneralResult[]
  /** Null: not measured. */
  probe: Probe | null
  /** Whether all that the model was trained on is known here. */
  isTrainingKnown: boolean
}

/** What a verdict does not show, and what was measured beside it. */
export const notesOf = ({ request, sides, general, probe, isTrainingKnown }: Known): string[] => {
  const isHere = request.model.kind === 'model'
  const unseen = (['model', 'base'] as const).filter((side) => Object.keys(sides[side].hashes).length === 0)
  return [
    ...generalNotes(general),
    isHere ? leakNote(probe) : 'Leak probe: not measured. A model behind an endpoint cannot be probed.',
    ...(isHere
      ? isTrainingKnown
        ? []
        : ['Not verified: this model was also trained on files whose sessions are not known here.']
      : ['Not verified: what this model was trained on is not known here.']),
    ...unseen.map((side) => `Not verified: the files of the ${side}, whose hashes are not known here.`),
  ]
}

function leakNote(probe: Probe | null): string {
  if (probe === null || probe.state === 'not_measured')
    return `Leak probe: not measured.${probe === null ? '' : ' No phrases were planted in its training data, and nothing was replaced there.'}`
  const { extracted, planted, bound, state, places } = probe
  const most = bound === null ? '' : `; with 95 % confidence at most ${(100 * bound).toFixed(0)} %`
  const warning = state === 'warning' ? ' It knows them better than phrases that were never planted.' : ''
  const ofPhrases = planted.length === 0 ? [] : [`${extracted} of ${planted.length} planted phrases reproduced${most}`]
  const ofPlaces = places === null ? [] : [`${places.reproduced} of ${places.tried} replaced places reproduced`]
  return `Leak probe: ${[...ofPhrases, ...ofPlaces].join(', ')}.${warning}`
}
