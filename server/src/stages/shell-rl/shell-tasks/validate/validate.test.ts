import { describe, expect, it } from 'vitest'
import { ShellValidation, ShellVerdictName } from '#contracts/entities/shell-task.ts'
import { AppError } from '#contracts/errors.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useServer } from '#server/testing/use.ts'
import { type Case, CASES, VALID } from './testing-cases.ts'
import { sandboxesOf } from './testing-sandboxes.ts'
import { validateTask } from './validate.ts'

describe.skipIf(findBubblewrap() === null)('validation of shell tasks', () => {
  const server = useServer(() => ({ sandboxes: { running: 4, queue: 100 } }))
  const never = new AbortController().signal
  const bounds = { now: () => 0, setupTimeoutSec: 3, commandTimeoutSec: 3 }
  const taskOf = ({ task, setup, check, solution }: Omit<Case, 'name' | 'is' | 'what'> = {}) => ({
    task: task ?? VALID.task,
    setup: setup ?? VALID.setup,
    check: check ?? VALID.check,
    referenceSolution: solution === undefined ? VALID.solution : solution,
  })

  it('passes a valid task with all six verdicts', async () => {
    const found = await validateTask(taskOf(), { ...bounds, sandboxes: sandboxesOf(server) }, never)
    expect(found.verdicts.map(({ name, verdict }) => [name, verdict])).toEqual(ShellVerdictName.options.map((name) => [name, 'pass']))
    expect(ShellValidation.parse(found)).toMatchObject({ status: 'valid', engine: 'bubblewrap', at: '1970-01-01T00:00:00.000Z' })
    expect((await server.client.getSandboxLimits()).running).toBe(0)
  })

  it('has at least ten cases for each verdict', () => {
    for (const name of ShellVerdictName.options) expect(CASES.filter((one) => one.name === name).length).toBeGreaterThanOrEqual(10)
  })

  it.concurrent.each(CASES)('$name: $is for $what', async ({ name, is, rollouts, ...more }) => {
    const deps = { ...bounds, sandboxes: sandboxesOf(server), rollouts: rollouts ?? null }
    const { verdicts } = await validateTask(taskOf(more), deps, never)
    expect(verdicts.find((one) => one.name === name)).toMatchObject({ verdict: is, evidence: expect.any(Array) as unknown[] })
    expect(verdicts).toHaveLength(name === 'setup_ok' && is !== 'pass' ? 1 : 6)
  })

  it('retries when the engine fails, and leaves verdicts unknown if it keeps failing', async () => {
    const sandboxes = sandboxesOf(server)
    let failures = 1
    const failing: typeof sandboxes = {
      ...sandboxes,
      exec: (id, request, signal) => (failures-- > 0 ? Promise.reject(new AppError('engine_failed', { message: 'It broke.' })) : sandboxes.exec(id, request, signal)), // prettier-ignore
    }
    expect((await validateTask(taskOf(), { ...bounds, sandboxes: failing }, never)).status).toBe('valid')
    failures = 1_000_000
    const found = await validateTask(taskOf(), { ...bounds, sandboxes: failing, tries: 2 }, never)
    expect([found.status, new Set(found.verdicts.map(({ verdict }) => verdict))]).toEqual(['unknown', new Set(['unknown'])])
    expect(JSON.stringify(found)).toContain('It broke.')
    expect((await server.client.getSandboxLimits()).running).toBe(0)
  })
})
