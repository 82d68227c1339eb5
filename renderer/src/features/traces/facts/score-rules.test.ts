import { describe, expect, it, test } from 'vitest'
import { boundFor, METRICS, checkSentence } from './score-rules.ts'

const thresholds = {
  gold: { successRate: 0.9, quality: 0.75 },
  silver: { successRate: 0.75, quality: 0.55 },
  bronze: { successRate: 0.6, quality: 0.4 },
}

describe('the bars of a score', () => {
  it('have weights that sum to one', () => {
    expect(METRICS.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12)
  })

  it('mark the next threshold, or gold once it is reached', () => {
    expect(boundFor('successRate', 0.8, thresholds)).toEqual({ tier: 'gold', at: 0.9 })
    expect(boundFor('successRate', 0.75 - 1e-12, thresholds)).toEqual({ tier: 'gold', at: 0.9 })
    expect(boundFor('quality', 0.2, thresholds)).toEqual({ tier: 'bronze', at: 0.4 })
    expect(boundFor('quality', 0.99, thresholds)).toEqual({ tier: 'gold', at: 0.75 })
    expect(boundFor('quality', null, thresholds)).toEqual({ tier: 'bronze', at: 0.4 })
  })
})

test('a check is one sentence, with its reason and whether it decides', () => {
  const check = {
    step: 's1',
    command: 'npm test',
    kind: 'test',
    result: 'passed',
    guessed: false,
    why: 'exit status 0',
    decides: true,
  } as const
  expect(checkSentence(check, 2)).toBe('Tests passed (exit status 0). Deciding check; 2 files edited afterwards.')
  expect(checkSentence({ ...check, kind: 'lint', result: 'not_run', guessed: true, baseline: true, decides: false }, 2)).toBe(
    'Lint did not run (exit status 0, guessed from the name, before the changes).',
  )
})
