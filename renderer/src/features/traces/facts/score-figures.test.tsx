import { QueryClient } from '@tanstack/react-query'
import { cleanup, screen } from '@testing-library/react'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Score } from '#contracts/entities/score.ts'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { Settings } from '#contracts/entities/settings.ts'
import { formatScore, reaches } from '#contracts/score-figure.ts'
import { settingsKeys } from '#renderer/api/settings.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { aTrace } from '../fixtures.ts'
import { CELLS } from '../list/cells.tsx'
import { COLUMNS } from '../list/columns.ts'
import { ScoreFacts } from './score-facts.tsx'

const value = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.tuple(fc.constantFrom(0.4, 0.55, 0.6, 0.75, 0.9), fc.constantFrom(0, -1e-12, -1e-4, 1e-4)).map(([bound, off]) => bound + off),
)

it('shows the same quality in panel and list, and never rounds it up to a threshold that it does not reach', () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queries.setQueryData(settingsKeys.all, { settings: Settings.parse({}), environment: [], storedIn: '' })
  const column = COLUMNS.find(({ id }) => id === 'quality')!
  fc.assert(
    fc.property(value, value, (quality, successRate) => {
      const trace = { ...aTrace({ quality, successRate }), score: aScore(quality, successRate) } as TraceDetail // all that the panel reads
      const { container } = showPart(<ScoreFacts trace={trace} onStep={() => undefined} />, queries)
      expect(container.querySelector('.text-2xl')!.textContent).toBe(formatScore(quality))
      expect(CELLS.quality(trace, column)).toBe(formatScore(quality))
      expect(screen.getByRole('button', { name: /^Success/ }).textContent).toContain(formatScore(successRate))
      const next = /quality \((?:gold|silver|bronze) (\d\.\d\d)\)/.exec(container.textContent)
      expect(next === null).toBe(reaches(quality, 0.75))
      expect(Number(next?.[1] ?? 2)).toBeGreaterThan(Number(formatScore(quality)))
      cleanup()
    }),
    { numRuns: 100 },
  )
})

function aScore(quality: number, successRate: number): Score {
  return {
    metrics: { successRate, verification: 0.5, complexity: 0.5, length: 1, toolDiversity: 1, efficiency: 1 },
    quality,
    tier: 'silver',
    policy: 'thresholds',
    tierByPolicy: { thresholds: 'silver', verified_first: 'pending' },
    scoreVersion: 1,
    verification: 'none',
    tierReason: 'success and quality',
    evidence: [],
    evidenceCount: 0,
    metricEvidence: [],
  } as unknown as Score // fields that newer rules add are not shown here
}
