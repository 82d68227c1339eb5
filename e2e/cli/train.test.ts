import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#contracts/entities/run.ts'
import { TrainerEvent } from '#contracts/trainer.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type RunningServer, startServer, type Workspace } from '../support/server.ts'
import { makeTinyModel, PYTHON, acceptingSessions } from '../support/trainer.ts'

// The built command line really trains; the tests check exit codes, JSON on stdout and messages on stderr, as a script would.
let workspace: Workspace
let data: string
beforeAll(() => {
  workspace = makeWorkspace()
  data = path.join(workspace.dir, 'rows.jsonl')
  const row = { messages: [{ role: 'user', content: 'Say red' }, { role: 'assistant', content: 'red red' }] } // prettier-ignore
  fs.writeFileSync(data, `${JSON.stringify(row)}\n`.repeat(8))
})
afterAll(() => workspace.remove())

const run = (...args: string[]) => bashgym(workspace, args, { env: { BASHGYM_PYTHON: PYTHON } })
const train = (model: string, steps: number, ...more: string[]) =>
  run('train', '--dataset', data, '--strategy', 'sft', '--base-model', model, '--preset', 'quick', '--max-steps', String(steps), '--set', 'use_lora=false', 'maxLength=256', 'threads=1', 'device=cpu', 'samples=0', 'saveSteps=null', 'evalSteps=null', ...more) // prettier-ignore

it('refuses what cannot be trained, with an exit code and a message', async () => {
  const usage = await run('train', '--dataset', data)
  expect(usage).toMatchObject({ code: 2, stdout: '' })
  expect(usage.stderr).toMatch(/--strategy is missing/)
  const none = await run('train', '--dataset', data, '--strategy', 'sft')
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toMatch(/no base model that can be trained/)
  const gone = await train('/nowhere/model', 3)
  expect(gone).toMatchObject({ code: 1, stdout: '' })
  expect(gone.stderr).toMatch(/There is no model in \/nowhere\/model/)
  const nobody = await run('runs', 'cancel', 'a'.repeat(26))
  expect(nobody).toMatchObject({ code: 1, stdout: '' })
  expect(nobody.stderr).toMatch(/There is no run with the id/)
  expect((await run('runs', 'list')).stdout).toMatch(/No runs yet/)
})

describe.skipIf(PYTHON === '')('with a Python that trains', () => {
  let server: RunningServer
  let model: string
  beforeAll(async () => {
    model = acceptingSessions(makeTinyModel())
    server = await startServer(workspace, { env: { BASHGYM_PYTHON: PYTHON } })
  }, 180_000)
  afterAll(async () => {
    await server.stop()
    fs.rmSync(model, { recursive: true, force: true })
  })
  const shown = (id: string) => server.api<Run>(`/api/training/${id}`)
  const until = async (id: string, holds: (run: Run) => boolean): Promise<Run> => {
    await expect.poll(async () => holds(await shown(id)), { timeout: 240_000, interval: 50 }).toBe(true)
    return shown(id)
  }

  it('plans and trains, follows the run to its end, and lists runs and models', { timeout: 300_000 }, async () => {
    const plan = await train(model, 3, '--plan', '--json')
    expect(plan.code).toBe(0)
    expect(plan.json()).toMatchObject({ rows: 8, steps: 3, device: { kind: 'cpu' } })

    const followed = await train(model, 3, '--name', 'from a script', '--tag', 'cli', '--watch')
    expect(followed.code).toBe(0)
    const lines = followed.stdout.trim().split('\n').map((line) => JSON.parse(line) as { runId: string; type: string; state?: string }) // prettier-ignore
    expect(lines.at(-1)).toMatchObject({ type: 'run', state: 'completed' })
    const events = lines.slice(0, -1).map((line) => {
      const { runId, ...event } = line
      expect(runId).toBe(lines[0]!.runId)
      return TrainerEvent.parse(event)
    })
    expect(events.filter(({ type }) => type === 'progress').map((event) => 'step' in event && event.step)).toEqual([1, 2, 3])
    const id = lines[0]!.runId

    const { items } = (await run('runs', '--json')).json() as { items: Run[] }
    expect(items).toMatchObject([{ id, name: 'from a script', state: 'completed', tags: ['cli'], step: 3, modelId: id }])
    expect((await run('runs', 'list')).stdout).toMatch(new RegExp(`${id} +from a script +completed +sft +step 3 of 3`))
    expect((await run('models', 'list')).stdout).toContain(id)
    expect((await run('runs', 'logs', id)).stdout).toMatch(/complete after 3 steps/)
    expect((await run('runs', 'logs', id, '--follow')).stdout).toMatch(/complete after 3 steps/)
    const again = await run('runs', 'resume', id)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/it is complete/)
  })

  it('pauses, resumes and cancels; watching a cancelled run exits with 1', { timeout: 300_000 }, async () => {
    const begun = await train(model, 100_000, '--idempotency-key', 'the-long-one', '--json')
    expect(begun.code).toBe(0)
    const { id } = begun.json() as Run
    expect(((await train(model, 100_000, '--idempotency-key', 'the-long-one', '--json')).json() as Run).id).toBe(id)
    await until(id, ({ step }) => step >= 2)
    expect((await run('runs', 'pause', id, '--json')).json()).toMatchObject({ state: 'pausing' })
    const { step } = await until(id, ({ state }) => state === 'paused')
    expect((await run('runs', 'resume', id)).code).toBe(0)
    await until(id, (one) => one.step > step)
    const cancelled = await run('runs', 'cancel', id)
    expect(cancelled.code).toBe(0)
    expect(cancelled.stdout).toMatch(/: cancelled/)

    const watched = train(model, 100_000, '--name', 'watched', '--watch')
    const named = async () => (await server.api<{ items: Run[] }>('/api/training?q=watched')).items[0]?.id
    await expect.poll(named, { timeout: 180_000, interval: 50 }).toBeDefined()
    const other = (await named())!
    await until(other, (one) => one.step >= 1)
    expect((await run('runs', 'cancel', other)).code).toBe(0)
    const { code, stdout } = await watched
    expect([code, JSON.parse(stdout.trim().split('\n').at(-1)!)]).toEqual([1, { runId: other, type: 'run', state: 'cancelled', error: null }]) // prettier-ignore
    expect((await run('runs', 'delete', other)).stdout).toMatch(/Deleted;/)
  })

  it('trains on the sessions that match a filter, with a local base model', { timeout: 300_000 }, async () => {
    workspace.addSample('fix-test')
    await run('import')
    await server.api('/api/settings', { method: 'PATCH', body: { training: { baseModels: [model] } } })
    const nothing = await run('train', '--from', 'repo:nowhere')
    expect(nothing).toMatchObject({ code: 1, stdout: '' })
    expect(nothing.stderr).toMatch(/no rows to train on/)
    const stored = async () => (await server.api<{ items: unknown[] }>('/api/datasets')).items.length
    const before = await stored()
    const planned = await run('train', '--from', 'tier:gold,silver,bronze', '--set', 'device=cpu', '--plan')
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringMatching(/^\d+ rows?, /)])
    expect(await stored()).toBe(before)
    const trained = await run('train', '--from', 'tier:gold,silver,bronze', '--max-steps', '2', '--set', 'threads=1', 'device=cpu', 'samples=0', '--watch') // prettier-ignore
    expect(trained.stderr).toMatch(/Built sft v\d+ \(ds_\w+\) of 1 session: \d+ rows? for training/)
    expect(trained).toMatchObject({ code: 0 })
  })
})
