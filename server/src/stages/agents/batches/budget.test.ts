import { afterEach, expect, it, vi } from 'vitest'
import type { Task } from '#contracts/entities/task.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { type BatchTasks, createBatches } from './service.ts'

let core: TestCore
afterEach(() => core.close())

const NO_TOKENS = { input: null, output: null, cacheRead: null, cacheWrite: null }
const SOME_TOKENS = { input: 100, output: 10, cacheRead: null, cacheWrite: null }

it.each([
  ['whose cost is unknown counts its whole cap', SOME_TOKENS, 1],
  ['that sent no request costs nothing', NO_TOKENS, 3],
])('a run %s', async (_, tokens, expectedRuns) => {
  core = openCore()
  const runs: Task[] = []
  const tasks: BatchTasks = {
    plan: () => Promise.resolve({ refusals: [] }) as never,
    endedLike: () => [],
    resume: () => Promise.reject(new Error('not used')),
    cancel: () => Promise.reject(new Error('not used')),
    get: (id) => runs.find((run) => run.id === id)!,
    list: () => ({ items: runs.toReversed() }),
    create: (request) => {
      const task = { id: `run-${runs.length}`, state: 'failed', request, tokens, costUsd: null, verification: null, error: null, model: null } // prettier-ignore
      runs.push(task as unknown as Task) // the fields that a batch reads
      return Promise.resolve(runs.at(-1)!)
    },
  }
  const batches = createBatches(core, { tasks, sessions: {} as never, newId: () => 'batch' })
  batches.start({ watch: true })
  const { signal } = new AbortController()
  await batches.create(
    { name: 'three', tasks: [1, 2, 3].map((n) => ({ key: String(n), prompt: 'x' })), attempts: 1, concurrency: 1, maxCostUsd: 1, settings: { caps: { costUsd: null } } } as never, // prettier-ignore
    signal,
  )
  await vi.waitUntil(async () => (await batches.get('batch', { waitMs: 0, ended: 0, signal })).state !== 'running')
  await batches.close()
  expect(runs).toHaveLength(expectedRuns)
})
