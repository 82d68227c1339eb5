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

it('draws each unit on its own scale, and kept with lost fills what came in', () => {
  const rows = funnelRows(funnel)
  expect(rows.map(({ kept, lost }) => [kept, lost])).toEqual([
    [0.4, 0.6],
    [80 / 90, 10 / 90],
    [0.25, 0.75],
    [0.25, 0],
  ])
  expect(funnelRows([stage('filter', 'sessions', 0, 0)])[0]).toMatchObject({ kept: 0, lost: 0 })
})

it('names reasons by words, and says nothing of sessions when none were asked for', () => {
  const counts = { sessions: 0, segments: 0, examples: 5, train: 5, val: 0, test: 0 }
  const taken = [stage('filter', 'sessions', 0, 0), stage('segments', 'segments', 6, 5, 'low_success')]
  expect(funnelSentence({ funnel: taken, counts })).toBe('5 rows; 1 excluded, most of them for "too many failures" (1)')
})

it('says where most was lost, and does not count sessions that were never asked for', () => {
  const counts = { sessions: 40, segments: 90, examples: 80, train: 18, val: 2, test: 0 }
  expect(funnelSentence({ funnel, counts })).toBe(
    '40 of 100 sessions became 20 rows; 130 excluded, most of them for "quality below 0.7" (60)',
  )
  const asked = [stage('filter', 'sessions', 9, 2, 'not selected')]
  expect(funnelSentence({ funnel: asked, counts })).toBe('2 of 9 sessions became 20 rows; nothing was excluded')
})

it('shows segments that were split as a stage that grows, and the rule of the review by the recipe', () => {
  const added = { parts: 5, splitSegments: 3, variants: 2, imported: 0 }
  const rows = funnelRows([{ ...stage('parts', 'examples', 80, 87), added }, stage('review', 'examples', 87, 87)])
  expect(rows.map(({ kept, lost }) => [kept, lost])).toEqual([[1, 0], [1, 0]]) // prettier-ignore
  expect(addedSentence(added)).toBe('3 long segments split into 8 examples, 2 generated variants')
  expect(addedSentence({ parts: 0, splitSegments: 0, variants: 0, imported: 0 })).toBe('no segment split')
  expect(stageWords('parts').label).not.toBe(stageWords('split').label)
  expect(stageWords('review').meaning).toBe('All but rejected')
  expect(stageWords('review', 'accepted').meaning).toBe('Accepted only')
})
