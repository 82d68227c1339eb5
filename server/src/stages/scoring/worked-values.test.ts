import { describe, expect, it } from 'vitest'
import type { Tier, Verification } from '#contracts/entities/common.ts'
import { commandKeys } from './command-key.ts'
import { scoreSteps } from './score-file.ts'
import { tierOfScore, withTier } from './score.ts'
import { aStep } from './testing.ts'

/** Worked examples with exact values. */
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
  ['F', F, 'none', 1, 0.5, 1 / 6, 1, 0.2, 0.74, 0.644, 'silver', 'pending'],
  ['F′', F, null, 1, 1, 1 / 6, 1, 0.2, 0.74, 0.769, 'gold', 'gold'],
  ['G', G, 'none', 0.9, 0.5, 1 / 6, 1, 0.2, 0.6, 0.6, 'silver', 'pending'],
  ['G, inferred', G, null, 0.9, 0.5, 1 / 6, 1, 0.2, 0.6, 0.6, 'silver', 'pending'],
]

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

  it('D is unverified, C is not', () => {
    const gold = (state: Verification) => withTier(scoreSteps(C, { override: { state, by: 'verifier' } }), 'thresholds')
    expect(gold('none')).toMatchObject({ tier: 'gold', unverified: true })
    expect(gold('passed')).toMatchObject({ tier: 'gold', unverified: false })
  })

  type Inferred = [command: string, success: boolean, output: string, state: Verification, kind?: string, guessed?: boolean]
  it.each<Inferred>([
    ['cargo test 2>&1 | tee out.log', true, 'test result: FAILED. 3 passed; 1 failed', 'failed', 'test'],
    ['cd api && go test ./...', true, '', 'passed', 'test'],
    ['vitest run; git status', true, 'nothing to commit', 'unclear', 'test'],
    ['cat package.json', true, 'jest', 'none'],
    ['ruff check .', false, '', 'failed', 'lint'],
    ['ruff check .', true, '', 'none', 'lint'],
    ['docker compose exec -T web pytest -q', false, '', 'failed', 'test'],
    ["bash -c 'npm test'", true, '', 'passed', 'test'],
    ['./gradlew :app:testDebugUnitTest', false, '', 'failed', 'test', true],
    ['node calc.test.mjs', false, '', 'failed', 'test', true],
    ['make test-env', false, '', 'none'],
    ['pytest --collect-only', true, '', 'none'],
    ['cargo test --no-run', true, '', 'passed', 'build'],
    ['npm test', false, 'Command timed out after 2m', 'unclear', 'test'],
    ['npm test >o; echo "EXIT $?"', true, 'EXIT 1', 'failed', 'test'],
    ['npm test | tail -2', true, '✓ shows 1 error\nTests: 5 passed', 'passed', 'test'],
    ['git stash && npm test; git stash pop', true, '2 failed', 'none', 'test'],
  ])('%s, success %s, "%s" → %s (%s)', (command, success, output, state, kind, guessed) => {
    const score = scoreSteps([aStep({ command, success, output, exitCode: success ? 0 : 1 })])
    expect(score.verification).toBe(state)
    expect(score.evidence[0]?.kind).toBe(kind)
    expect(score.evidence[0]?.guessed).toBe(kind && (guessed ?? false))
  })

  const step = (command: string, exitCode: number, output: string) => aStep({ command, exitCode, output, success: exitCode === 0 })
  it('a tool that never started is unclear alone, and ignored with a passed check', () => {
    const missing = step('pytest', 127, 'command not found')
    expect(scoreSteps([missing]).verification).toBe('unclear')
    expect(scoreSteps([missing, step('python -m pytest', 0, '')]).verification).toBe('passed')
  })

  it('a failed suite stays open until a check of the same scope passes', () => {
    const narrow = [step('pytest', 1, '3 failed'), step('pytest tests/a.py::x', 0, '')]
    expect(scoreSteps(narrow)).toMatchObject({ verification: 'unclear', open: true, metrics: { successRate: 0.5 } })
    expect(scoreSteps([...narrow, step('pytest', 0, '')])).toMatchObject({
      verification: 'passed',
      open: false,
      metrics: { successRate: 1 },
    })
  })

  it('an unknown command that reports failures keeps good work at bronze', () => {
    const score = scoreSteps([...C, step('./smash --all', 1, '9 passed, 1 failed')])
    expect(score).toMatchObject({ verification: 'unclear', red: true })
    expect(tierOfScore(score, 'thresholds').tier).toBe('bronze')
    expect(tierOfScore(score, 'verified_first').tier).toBe('pending')
  })

  it('a mark of the user overrides every rule', () => {
    const [smash] = commandKeys('timeout 5 ./smash --all')
    const red = [step('./smash --all', 1, '1 failed')]
    expect(scoreSteps(red, { commandOverrides: [{ project: '', words: smash!, verdict: 'test' }] })).toMatchObject({
      verification: 'failed',
      red: false,
    })
    expect(scoreSteps(red, { commandOverrides: [{ project: '', words: smash!, verdict: 'not_a_run' }] })).toMatchObject({
      verification: 'none',
      red: false,
    })
    expect(
      scoreSteps([step('sudo pytest -q', 1, '')], { commandOverrides: [{ project: '', words: 'pytest -q', verdict: 'not_a_run' }] })
        .verification,
    ).toBe('none')
  })
})
