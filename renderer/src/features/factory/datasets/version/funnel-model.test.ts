import { expect, it } from 'vitest'
import { stageWords } from '../words.ts'
import { addedSentence, funnelRows, funnelSentence } from './funnel-model.ts'

const stage = (name: string, unit: 'sessions' | 'segments' | 'examples' | 'rows', came: number, out: number, reason?: string) => ({
  stage: name,
  unit,
  in: came,
  out,
  dropped: reason ? [{ reason, count: came - out }] : [],
})
const funnel = [
  stage('filter', 'sessions', 100, 40, 'quality below 0.7'),
  stage('segments', 'segments', 90, 80, 'low_success'),
  stage('dedup', 'examples', 80, 20, 'exact duplicate'),
  stage('split', 'rows', 20, 20),
]

it('scales each unit separately; kept and lost add up to the input', () => {
  const rows = funnelRows(funnel)
  expect(rows.map(({ keptShare, lostShare }) => [keptShare, lostShare])).toEqual([
    [0.4, 0.6],
    [80 / 90, 10 / 90],
    [0.25, 0.75],
    [0.25, 0],
  ])
  expect(funnelRows([stage('filter', 'sessions', 0, 0)])[0]).toMatchObject({ keptShare: 0, lostShare: 0 })
})

it('describes reasons in words, and omits sessions if there are none', () => {
  const counts = { sessions: 0, segments: 0, examples: 5, train: 5, val: 0, test: 0 }
  const importedFunnel = [stage('filter', 'sessions', 0, 0), stage('segments', 'segments', 6, 5, 'low_success')]
  expect(funnelSentence({ funnel: importedFunnel, counts })).toBe('5 rows; 1 excluded, most of them for "too many failures" (1)')
})

it('names the main reason, and does not count sessions that were not selected', () => {
  const counts = { sessions: 40, segments: 90, examples: 80, train: 18, val: 2, test: 0 }
  expect(funnelSentence({ funnel, counts })).toBe(
    '40 of 100 sessions became 20 rows; 130 excluded, most of them for "quality below 0.7" (60)',
  )
  const unselectedFunnel = [stage('filter', 'sessions', 9, 2, 'not selected')]
  expect(funnelSentence({ funnel: unselectedFunnel, counts })).toBe('2 of 9 sessions became 20 rows; nothing was excluded')
})

it('explains added examples of split segments, and the review rule of the recipe', () => {
  const added = { parts: 5, splitSegments: 3, variants: 2, imported: 0 }
  const rows = funnelRows([{ ...stage('parts', 'examples', 80, 87), added }, stage('review', 'examples', 87, 87)])
  expect(rows.map(({ keptShare, lostShare }) => [keptShare, lostShare])).toEqual([[1, 0], [1, 0]]) // prettier-ignore
  expect(addedSentence(added)).toBe('3 long segments split into 8 examples, 2 generated variants')
  expect(addedSentence({ parts: 0, splitSegments: 0, variants: 0, imported: 0 })).toBe('no segment split')
  expect(stageWords('parts').label).not.toBe(stageWords('split').label)
  expect(stageWords('review').meaning).toBe('All but rejected')
  expect(stageWords('review', 'accepted').meaning).toBe('Accepted only')
})
