import { describe, expect, it } from 'vitest'
import type { Segment } from '#contracts/entities/example.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { indexRows } from '../rows.ts'
import { mapTasks, moveCut, neighbourOf, placeAt, selectSpaced, taskAt, toggleCut } from './cuts.ts'

const row = (id: string, kind: TimelineRow['kind'], agent = 'main'): TimelineRow => ({
  id,
  position: id,
  kind,
  agent,
  tool: null,
  at: null,
  durationMs: null,
  success: null,
  label: null,
  abandoned: false,
})
const ROWS = [
  row('p1', 'prompt'),
  row('c1', 'step'),
  row('s1', 'step', 'sub'),
  row('c2', 'step'),
  row('t1', 'text'),
  row('p2', 'prompt'),
  row('k1', 'thinking'),
  row('c3', 'step'),
  row('c4', 'step'),
  row('x1', 'text'),
  row('c5', 'step'),
]
const segment = (firstStepId: string, kind: Segment['boundary']['kind']): Segment => ({
  id: firstStepId,
  traceId: 'a'.repeat(26),
  index: 0,
  firstStepId,
  lastStepId: firstStepId,
  firstSeq: 1,
  lastSeq: 1,
  boundary: { kind, why: '' },
  prompt: null,
  ownPrompt: true,
  steps: 1,
  successShare: null,
  startedAt: null,
  endedAt: null,
})
const SEGMENTS = [segment('c1', 'start'), segment('c3', 'time_gap')]
const TASKS = mapTasks(ROWS, indexRows(ROWS), SEGMENTS, ['c4'])

describe('tasks on the rows of a session', () => {
  it('begin at their prompt, and end where the next one begins', () => {
    expect(TASKS.starts).toEqual([0, 5])
    expect(TASKS.firsts).toEqual([1, 7])
    expect(ROWS.map((_, index) => taskAt(TASKS, index))).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
  })

  it('may begin before a call that is neither the first nor in the middle of a response', () => {
    const place = (id: string) =>
      placeAt(
        TASKS,
        ROWS.findIndex((one) => one.id === id),
      )
    expect(['p1', 'c1', 'c2', 't1', 'p2', 'c3', 'c4', 'x1', 'c5'].map(place)).toEqual([
      'c2',
      null,
      'c2',
      'c3',
      'c3',
      'c3',
      'c3',
      'c5',
      'c5',
    ])
  })
})

describe('cuts of the user', () => {
  it('override a rule, and are removed rather than overridden', () => {
    expect(toggleCut([], SEGMENTS, 'c3')).toEqual([{ stepId: 'c3', boundary: false }])
    expect(toggleCut([], SEGMENTS, 'c5')).toEqual([{ stepId: 'c5', boundary: true }])
    // the user had merged them: the rule's boundary comes back
    expect(toggleCut([{ stepId: 'c3', boundary: false }], SEGMENTS.slice(0, 1), 'c3')).toEqual([])
    // the user had added it
    expect(toggleCut([{ stepId: 'c5', boundary: true }], [...SEGMENTS, segment('c5', 'user')], 'c5')).toEqual([])
  })

  it('move a boundary by one call and stop at the neighbouring boundaries', () => {
    expect(neighbourOf(TASKS, 1, 1)).toBe('c5')
    expect(moveCut([], TASKS, 1, 'c5')).toEqual([
      { stepId: 'c3', boundary: false },
      { stepId: 'c5', boundary: true },
    ])
    expect(moveCut([], TASKS, 1, 'c4')).toBeNull()
    expect(moveCut([], TASKS, 0, 'c5')).toBeNull()
    const three = mapTasks(ROWS, indexRows(ROWS), [...SEGMENTS, segment('c5', 'user')], ['c4'])
    expect(moveCut([], three, 1, 'c5')).toBeNull()
    expect(neighbourOf(three, 2, 1)).toBeNull()
  })

  it.each(['c2', 'c5'])('moved to %s and back are restored', (to) => {
    const movedCuts = moveCut([], TASKS, 1, to) ?? []
    const moved = mapTasks(ROWS, indexRows(ROWS), [SEGMENTS[0]!, segment(to, 'user')], ['c4'])
    expect(moveCut(movedCuts, moved, 1, 'c3')).toEqual([])
  })
})

it('shows only the first of overlapping boundaries, and those of the user', () => {
  const own = new Set([4, 5])
  const selected = selectSpaced([0, -3, 10, 12, 13, 14, 30, 37, 38, 95, 120], (segment) => own.has(segment), 100, 8)
  expect(selected).toEqual([4, 5, 6, 8, 9])
})
