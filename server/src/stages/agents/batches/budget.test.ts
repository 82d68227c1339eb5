import { afterEach, expect, it, vi } from 'vitest'
import type { Task } from '#contracts/entities/task.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { type BatchTasks, createBatches } from './service.ts'

let core: TestCore
afterEach(() => core.close())

const NO_TOKENS = { input: null, output: null, cacheRead: null, cacheWrite: null }
const SOME_TOKENS = { input: 100, output: 10, cacheRead: null, cacheWrite: null }

/** Runs a batch whose runs end at once with these tokens. Returns its runs, and how often all of them were read. */
async function ran(count: number, tokens: Task['tokens'], maxCostUsd: number | null): Promise<{ runs: Task[]; reads: number }> {
  core = openCore()
  const runs: Task[] = []
  let reads = 0
  const tasks: BatchTasks = {
    plan: () => Promise.resolve({ refusals: [] }) as never,
    endedLike: () => [],
    resume: () => Promise.reject(new Error('not used')),
    cancel: () => Promise.reject(new Error('not used')),
    get: (id) => runs.find((run) => run.id === id)!,
    list: () => ({ items: ((reads += 1), runs.toReversed()) }),
    create: (request) => {
      const task = { id: `run-${runs.length}`, state: 'failed', request, tokens, costUsd: null, verification: null, error: null, model: null } // prettier-ignore
      runs.push(task as unknown as Task) // the fields that a batch reads
      return Promise.resolve(runs.at(-1)!)
    },
  }
  const batches = createBatches(core, { tasks, sessions: {} as never, newId: () => 'batch' })
  batches.start({ watch: true })
  const { signal } = new AbortController()
  const keys = Array.from({ length: count }, (_, n) => ({ key: String(n), prompt: 'x' }))
  await batches.create({ tasks: keys, attempts: 1, concurrency: 1, maxCostUsd, settings: { caps: { costUsd: null } } } as never, signal)
  await vi.waitUntil(async () => (await batches.get('batch', { waitMs: 0, ended: 0, signal })).state !== 'running')
  await batches.close()
  return { runs, reads }
}

it.each([
  ['whose cost is unknown counts its whole cap', SOME_TOKENS, 1],
  ['that sent no request costs nothing', NO_TOKENS, 3],
])('a run %s', async (_, tokens, expectedRuns) => {
  expect((await ran(3, tokens, 1)).runs).toHaveLength(expectedRuns)
})

it('a batch reads all its runs once, however many they are', async () => {
  const { runs, reads } = await ran(50, SOME_TOKENS, null)
  expect(runs).toHaveLength(50)
  expect(reads).toBe(1)
})
