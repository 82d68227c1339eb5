import { expect, it } from 'vitest'
import type { BatchResult } from '#contracts/entities/batch.ts'
import { boundaryOf, outcomeOf } from './outcome.ts'
import { reportOf, toCsv } from './report.ts'

const result = (more: Partial<BatchResult> = {}): BatchResult => ({
  key: 'a',
  attempt: 1,
  title: 'A',
  taskId: 't',
  outcome: 'passed',
  agent: 'shell',
  model: 'm',
  boundary: null,
  message: null,
  traceId: null,
  checks: null,
  change: null,
  turns: 1,
  tokens: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  costUsd: 1,
  durationMs: 1000,
  endedAt: null,
  ...more,
})

it('reports outcomes by task and model; attempts without a result do not lower the rate, and an unknown cost makes the total unknown', () => {
  const report = reportOf([
    result(),
    result({ attempt: 2, outcome: 'failed', boundary: 'task', durationMs: 3000 }),
    result({ key: 'b', outcome: 'owed', boundary: 'provider', costUsd: null, durationMs: null }),
    result({ key: 'b', attempt: 2, outcome: 'unverified', model: 'n' }),
  ])
  expect(report.total).toMatchObject({
    attempts: 4,
    passed: 1,
    failed: 1,
    owed: 1,
    unverified: 1,
    rate: 0.5,
    costUsd: null,
    medianMs: 1000,
  })
  expect(report.byTask.map(({ key, rate, costUsd, medianMs }) => [key, rate, costUsd, medianMs])).toEqual([
    ['a', 0.5, 2, 2000],
    ['b', null, null, 1000],
  ])
  expect(report.byModel.map(({ model, attempts }) => [model, attempts])).toEqual([
    ['m', 3],
    ['n', 1],
  ])
  expect(report.byBoundary).toEqual([
    { boundary: 'provider', attempts: 1 },
    { boundary: 'task', attempts: 1 },
  ])
})

it("assigns every failure to one boundary, and repeats attempts that did not fail through the agent's work", () => {
  const verified = (status: 'passed' | 'failed' | 'error' | 'none') =>
    ({ status, reason: null, knownFailures: [] as string[], isDoubted: false }) as never
  const failed = (boundary: 'provider' | 'task') => ({ boundary, message: 'x', hint: null })
  const tasks = [
    { state: 'review', verification: verified('passed'), error: null },
    { state: 'failed', verification: verified('failed'), error: failed('task') },
    { state: 'failed', verification: null, error: failed('task') },
    { state: 'failed', verification: null, error: failed('provider') },
    { state: 'stopped', verification: null, error: null },
    { state: 'unverified', verification: verified('none'), error: null },
    { state: 'unverified', verification: verified('error'), error: null },
    { state: 'unverified', verification: { ...(verified('error') as object), knownFailures: ['a'] } as never, error: null },
  ] as const
  expect(tasks.map((task) => [outcomeOf(task), boundaryOf(task)])).toEqual([
    ['passed', null],
    ['failed', 'task'],
    ['failed', 'task'],
    ['owed', 'provider'],
    ['owed', 'ours'],
    ['unverified', null],
    ['owed', 'sandbox'],
    ['unverified', null],
  ])
})

it('writes CSV that is safe with commas and formulas', () => {
  const [, line] = toCsv([result({ key: '=1+1', message: 'said "no", twice\nand left' })]).split(/\r\n/)
  expect(line).toBe(`'=1+1,1,t,passed,shell,m,,"said ""no"", twice\nand left",,1,1,1000,,1,2,0,0`)
})

it('counts tasks, not attempts, in the interval over several tasks', () => {
  const attempts = (key: string, passed: number, of: number) =>
    Array.from({ length: of }, (_, at) => result({ key, attempt: at + 1, outcome: at < passed ? 'passed' : 'failed' }))
  const width = ({ low, high }: { low: number | null; high: number | null }) => high! - low!
  const many = reportOf([...attempts('a', 10, 10), ...attempts('b', 0, 10)])
  const once = reportOf([...attempts('a', 1, 1), ...attempts('b', 0, 1)])
  expect(many.total).toMatchObject({ attempts: 20, tasks: 2, rate: 0.5 })
  expect(width(many.total)).toBeCloseTo(width(once.total)) // repeating the same two tasks adds no certainty about others
  expect(width(many.byTask[0]!)).toBeLessThan(width(once.byTask[0]!))
})
