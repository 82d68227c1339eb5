import { describe, expect, it } from 'vitest'
import type { Tier, Verification } from '#contracts/entities/common.ts'
import { scoreSteps } from './score-file.ts'
import { tierOfScore } from './score.ts'
import { aStep } from './testing.ts'

/** system.md §24.1. */
const TOOLS = ['Bash', 'Read', 'Edit', 'Write']
const C = Array.from({ length: 12 }, (_, i) =>
  i % 4 === 0
    ? aStep({ command: `python f${i}.py`, output: 'done', success: true })
    : aStep({ tool: TOOLS[i % 4]!, input: { file_path: `/src/f${i}.ts` }, output: 'done', success: true }),
)
const F = Array.from({ length: 10 }, (_, i) =>
  i === 2 || i === 6
    ? aStep({ command: 'npm test', output: 'Error: boom', success: false, exitCode: 1 })
    : aStep({ command: 'npm test', output: 'pass', success: true, exitCode: 0 }),
)
const G = Array.from({ length: 10 }, (_, i) =>
  i === 9
    ? aStep({ command: `make t${i}`, output: 'x', success: false, exitCode: 1 })
    : aStep({ command: `make t${i}`, output: 'ok', success: true }),
)
const B = [aStep({ command: 'ls -la', output: 'ok', success: true })]

type Row = [
  string,
  ReturnType<typeof aStep>[],
  Verification | null,
  number | null,
  number,
  number,
  number,
  number,
  number,
  number | null,
  Tier,
  Tier,
]
const ROWS: Row[] = [
  ['A', [], 'none', null, 0.5, 0, 0, 0, 0.5, null, 'pending', 'pending'],
  ['B', B, 'none', 1, 0.5, 1 / 6, 0.2, 0.2, 1, 0.59, 'silver', 'pending'],
  ['C', C, 'passed', 1, 1, 11 / 12, 1, 1, 1, 0.9875, 'gold', 'gold'],
  ['D', C, 'none', 1, 0.5, 11 / 12, 1, 1, 1, 0.8625, 'gold', 'gold'],
  ['E', C, 'failed', 1, 0, 11 / 12, 1, 1, 1, 0.7375, 'failed', 'failed'],
  ['F', F, 'none', 0.8, 0.5, 1 / 6, 1, 0.2, 0.74, 0.584, 'silver', 'pending'],
  ['F′', F, null, 0.8, 1, 1 / 6, 1, 0.2, 0.74, 0.709, 'silver', 'gold'],
  ['G', G, 'none', 0.9, 0.5, 1 / 6, 1, 0.2, 0.6, 0.6, 'silver', 'pending'],
  ['G, nothing handed over', G, null, 0.9, 0.5, 1 / 6, 1, 0.2, 0.6, 0.6, 'silver', 'pending'],
]

/** Exact to 1e-9. */
const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(9)))

describe('the worked values', () => {
  it.each(ROWS)(
    '%s',
    (_id, steps, state, success, verification, complexity, length, diversity, efficiency, quality, thresholds, verifiedFirst) => {
      const score = scoreSteps(steps, { override: state && { state, by: 'verifier' } })
      expect(Object.values(score.metrics).map(rounded)).toEqual(
        [success, verification, complexity, length, diversity, efficiency].map(rounded),
      )
      expect(rounded(score.quality)).toBe(rounded(quality))
      expect(tierOfScore(score, 'thresholds').tier).toBe(thresholds)
      expect(tierOfScore(score, 'verified_first').tier).toBe(verifiedFirst)
    },
  )

  it.each([
    ['cargo test 2>&1 | tee out.log', true, 'test result: FAILED. 3 passed; 1 failed', 'failed', 'test'],
    ['cd api && go test ./...', true, '', 'passed', 'test'],
    ['vitest run; git status', true, 'nothing to commit', 'unclear', 'test'],
    ['cat package.json', true, 'jest', 'none', undefined],
    ['ruff check .', false, '', 'failed', 'lint'],
  ])('%s, success %s, "%s" → %s (%s)', (command, success, output, state, kind) => {
    const score = scoreSteps([aStep({ command, success, output })])
    expect(score.verification).toBe(state)
    expect(score.evidence[0]?.kind).toBe(kind)
  })
})
