import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Episode, RolloutSet, RolloutStats } from '#contracts/entities/rollout.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { rewardOf } from '#server/adapters/harbor/reward.ts'
import { type Reply, startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { bashgym } from '../support/cli.ts'
import { environmentOf, makeWorkspace, root, type RunningServer, startServer, type Workspace } from '../support/server.ts'
import { PYTHON } from '../support/trainer.ts'

/** Prints the number of trajectories. Exits with 1 at the first trajectory that the package `atif` refuses. */
const VALIDATE = `
import json, pathlib, sys
from atif import Trajectory
found = [Trajectory.model_validate(json.loads(file.read_text())) for file in pathlib.Path(sys.argv[1]).rglob('*.json')]
print(len(found))
`
const ROWS = [
  { task_id: 'make', task: 'Make the file /srv/made.', setup_commands: ['mkdir -p /srv'], success_condition: 'test -e /srv/made', difficulty_level: 1 },
  { id: 'say', task: 'Write "hi" into /srv/said.', setup: ['mkdir -p /srv'], check: 'grep -qx hi /srv/said', difficulty: 2 },
] // prettier-ignore

let workspace: Workspace
let file: string
let model: Stub
/** The model's reply to a task at a turn. It must not depend on the order of the episodes. */
let replyTo: (task: string, turn: number) => Reply
beforeAll(async () => {
  workspace = makeWorkspace()
  file = path.join(workspace.dir, 'tasks.jsonl')
  fs.writeFileSync(file, ROWS.map((row) => `${JSON.stringify(row)}\n`).join('\n'))
  model = await startStub(({ body: { messages } }) =>
    replyTo(messages.find(({ role }) => role === 'user')!.content, messages.filter(({ role }) => role === 'assistant').length),
  )
})
afterAll(async () => {
  await model.close()
  workspace.remove()
})

type SetWithStats = RolloutSet & { stats: RolloutStats }
const run = (...args: string[]) => bashgym(workspace, ['rollouts', ...args])
const scripted = () => ['--endpoint', model.url, '--model', 'scripted']
const asked = (...more: string[]) => ['run', '--tasks', file, ...scripted(), ...more]
const solvesTheFirst = (task: string, turn: number): Reply => ({
  text: ['# I look first', task.includes('made') ? 'touch /srv/made' : 'cat /srv/said', 'exit'][turn]!,
})

it('refuses wrong usage and bad files before it starts anything, with an exit code and a message', async () => {
  expect(await run('list')).toMatchObject({ code: 0, stdout: 'There are no rollouts yet.\n' })
  for (const [args, words] of [
    [['run', '--endpoint', 'http://127.0.0.1:9'], /--tasks is missing/],
    [['run', '--tasks', file], /Choose a model/],
    [asked('--per-task', '0'), /--per-task must be a whole number from 1 on/],
    [['show'], /needs the id/],
    [['export', 'a'.repeat(26)], /--format is missing: one of art/],
  ] as const) {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)])
  }
  const bad = path.join(workspace.dir, 'bad.jsonl')
  fs.writeFileSync(bad, '{"task": "x"}\nno\n')
  for (const [args, words] of [
    [['run', '--tasks', bad, '--endpoint', model.url], /line 1: it has no check\n +line 2: it is not JSON/],
    [['run', '--tasks', '/nowhere.jsonl', '--endpoint', model.url], /no such file/],
    [['run', '--tasks', 'nothing-there', '--endpoint', model.url, '--model', 'm'], /nothing-there/],
    [['show', 'a'.repeat(26)], /no set of rollouts with the id/],
  ] as const) {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(words)])
  }
  expect(model.received).toEqual([])
})

describe.skipIf(findBubblewrap() === null)('a set of rollouts', () => {
  let set: SetWithStats

  it('runs from a file until it is done, and is then listed and shown', async () => {
    replyTo = solvesTheFirst
    const done = await run(...asked('--per-task', '2', '--concurrency', '2', '--seed', '7', '--name', 'from a script', '--json'))
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('4 of 4 episodes have ended, 2 solved.')])
    set = done.json() as SetWithStats
    expect(set).toMatchObject({
      state: 'done',
      name: 'from a script',
      model: 'scripted',
      total: 4,
      counts: { ended: 4, ok: 4, solved: 2, corrupted: 0, error: 0 },
      stats: { success: { solved: 2, n: 4 }, groups: { total: 2, complete: 2, zeroVariance: 2 } },
    })
    const { items } = (await run('list', '--json')).json() as { items: RolloutSet[] }
    expect(items).toMatchObject([{ id: set.id, state: 'done' }])
    expect((await run('list')).stdout).toMatch(new RegExp(`${set.id} +done +from a script +scripted +4 of 4 +2`))
    expect((await run('show', set.id, '--json')).json()).toEqual(set)
    expect((await run('show', set.id)).stdout).toMatch(/Solved: 2 of 4, 50 % \(95 % interval 9.5 % to 90.5 %\)\./)
  })

  describe('with the app running', () => {
    let server: RunningServer
    beforeAll(async () => {
      server = await startServer(workspace)
    })
    afterAll(() => server.stop())

    it('runs on a split of stored tasks, with tool calls', async () => {
      const imported = await bashgym(workspace, ['shell-tasks', 'import', file, '--split', 'mine'])
      expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)])
      const call = (command: string) => JSON.stringify({ name: 'terminal', arguments: { command } })
      replyTo = (task, turn) => ({ text: turn > 0 ? '{"final_answer": "made"}' : call(task.includes('made') ? 'touch /srv/made' : 'echo hi > /srv/said') }) // prettier-ignore
      const done = await run('run', '--tasks', 'mine', '--per-task', '1', '--form', 'terminal', ...scripted())
      expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/: done, 2 of 2 episodes have ended\.\nSolved: 2 of 2, 100 %/)])
    })

    it.each([
      ['art', 2],
      ['trl', 4],
      ['verifiers', 4],
    ])('is exported as %s', async (format, rows) => {
      const output = path.join(workspace.dir, `rows.${format}`)
      const written = await run('export', set.id, '--format', format, '--output', output, '--json')
      expect([written.code, written.json()]).toEqual([0, { id: set.id, format, file: output }])
      const lines = fs.readFileSync(output, 'utf8').trim().split('\n')
      expect(lines).toHaveLength(rows)
      const rewards = lines
        .map((line) => JSON.parse(line) as { reward: number; trajectories?: { reward: number }[] })
        .flatMap(({ reward, trajectories }) => trajectories?.map((one) => one.reward) ?? [reward])
      expect(rewards.map((reward) => reward > 0)).toEqual([true, true, false, false])
    })

    const unpacked = async (format: string) => {
      const folder = path.join(workspace.dir, `as-${format}`)
      fs.mkdirSync(folder)
      const tar = path.join(folder, 'all.tar')
      expect((await run('export', set.id, '--format', format, '--output', tar)).stdout).toBe(`Written to ${tar}.\n`)
      execFileSync('tar', ['--extract', `--file=${tar}`, `--directory=${folder}`])
      fs.rmSync(tar)
      return folder
    }

    it('is exported as a Harbor job whose rewards can be read like those of other Harbor jobs', async () => {
      const job = path.join(await unpacked('harbor'), 'jobs', set.id)
      const trials = fs.readdirSync(job).filter((name) => !name.endsWith('.json'))
      expect(trials.toSorted()).toEqual(['make__1', 'make__2', 'say__1', 'say__2'])
      for (const trial of trials) {
        const read = (name: string) => fs.readFileSync(path.join(job, trial, name), 'utf8')
        const result = JSON.parse(read('result.json')) as { id: string; verifier_result: { rewards: { reward: number } } }
        expect(rewardOf({ text: read('verifier/reward.txt'), json: null })).toEqual({ reward: result.verifier_result.rewards.reward })
        expect(JSON.parse(read('agent/trajectory.json'))).toMatchObject({ session_id: result.id, extra: { set_id: set.id } })
      }
    })

    it('is exported as recordings, and a single episode can be exported', async () => {
      expect(fs.readdirSync(await unpacked('cast'))).toHaveLength(4)
      const first = path.join(workspace.dir, 'first.cast')
      await run('export', set.id, '--format', 'cast', '--episode', `${set.id}-0-1`, '--output', first)
      expect(fs.readFileSync(first, 'utf8')).toContain('$ touch /srv/made')
      const whole = await run('export', set.id, '--format', 'art', '--episode', `${set.id}-0-1`)
      expect([whole.code, whole.stderr]).toEqual([1, expect.stringMatching(/One episode alone is exported as atif or cast/)])
    })

    it.skipIf(PYTHON === '')('is exported as trajectories that the package `atif` accepts', async () => {
      expect(execFileSync(PYTHON, ['-c', VALIDATE, await unpacked('atif')], { encoding: 'utf8' }).trim()).toBe('4')
    })

    it('can be cancelled by another command or with Ctrl+C, exits with 1 then, and resumes where it stopped', async () => {
      replyTo = () => 'hang'
      const oneByOne = ['--per-task', '1', '--concurrency', '1']
      const waited = run(...asked(...oneByOne), '--json')
      const newest = async () => (await server.api<{ items: RolloutSet[] }>('/api/rollouts')).items[0]!
      await expect.poll(async () => (await newest()).state).toBe('running')
      const { id } = await newest()
      expect((await run('cancel', id)).stdout).toContain(`${id}: cancelled`)
      const result = await waited
      expect([result.code, result.json()]).toEqual([1, expect.objectContaining({ id, state: 'cancelled' })])

      const child = spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), 'rollouts', ...asked(...oneByOne)], {
        env: environmentOf(workspace),
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      await expect.poll(() => model.open.now).toBe(1)
      const [output, exit] = [text(child.stdout), once(child, 'exit')]
      child.kill('SIGINT')
      expect([await output, await exit]).toEqual([expect.stringMatching(/: cancelled, 0 of 2 /), [1, null]])

      replyTo = solvesTheFirst
      expect((await run('resume', id)).stdout).toContain(`${id}: running`)
      const whole = () => server.api<RolloutSet>(`/api/rollouts/${id}?waitMs=30000&ended=1`)
      await expect.poll(async () => (await whole()).state).toBe('done')
      const { items } = await server.api<{ items: Episode[] }>(`/api/rollouts/${id}/episodes`)
      expect(items.map(({ success }) => success)).toEqual([true, false])
    })
  })
})
