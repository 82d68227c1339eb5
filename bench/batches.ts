import { performance } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import type { Task } from '#contracts/entities/task.ts'
import { type BatchTasks, createBatches } from '#server/stages/agents/batches/service.ts'
import { toTask } from '#server/stages/agents/record.ts'
import { createTaskStore } from '#server/stages/agents/store.ts'
import { openCore } from '#server/testing/core.ts'
import { report, type Row } from './support/report.ts'

/**
 * What a batch itself costs the server for each of its runs: real rows and events, agents that end at once.
 *
 *     npm run bench -- batches [--small]
 */
const isSmall = process.argv.includes('--small')
const SIZES = isSmall ? [10, 100] : [10, 100, 1000]
const LIMIT = 3
/** As long as a prompt with a stack trace, and the output of a check. */
const [PROMPT, OUTPUT] = ['Make the failing test pass. '.repeat(30), 'not ok 3 - adds up\n'.repeat(100)]

/** Milliseconds of processor time for each run of a batch of this size. */
async function perRun(size: number): Promise<number> {
  const core = openCore()
  const { events, tx, now } = core
  const store = createTaskStore(core.db)
  const change = (id: string, values: Parameters<typeof store.change>[1]): Task =>
    tx(() => {
      const task = toTask(store.change(id, values), null)
      events.append('task:status', { task })
      if (values.endedAt) events.append('task:complete', { task })
      return task
    })
  const tasks: BatchTasks = {
    plan: () => Promise.resolve({ refusals: [] }) as never,
    endedLike: () => [],
    resume: () => Promise.reject(new Error('not used')),
    cancel: () => Promise.reject(new Error('not used')),
    get: (id) => toTask(store.require(id), null),
    list: (filter) => ({ items: store.list(filter).items.map((row) => toTask(row, null)) }),
    create: ({ idempotencyKey: key, ...request }) => {
      const id = `task-${request.batchKey}`
      store.insert({ id, title: request.batchKey!, request, key, at: now() })
      const task = change(id, { state: 'working', startedAt: now() })
      const verification = { status: 'passed', output: OUTPUT, isDoubted: false, knownFailures: [], passed: 3, total: 3, reason: null }
      setImmediate(() => change(id, { state: 'review', endedAt: now(), facts: { costUsd: 0.01, verification: verification as never } }))
      return Promise.resolve(task)
    },
  }
  const batches = createBatches(core, { tasks, sessions: {} as never, newId: () => 'batch' })
  batches.start({ watch: true })
  const { signal } = new AbortController()
  const asked = { tasks: Array.from({ length: size }, (_, n) => ({ key: String(n), prompt: `${n}: ${PROMPT}` })), attempts: 1, concurrency: 4, maxCostUsd: 1000, settings: { agent: 'shell', caps: { costUsd: 1 } } } // prettier-ignore
  const before = process.cpuUsage()
  await batches.create(asked as never, signal)
  for (let done = 0; done < size; await turn()) done = (await batches.get('batch', { waitMs: 60_000, ended: done, signal })).counts.passed
  const { user, system } = process.cpuUsage(before)
  await batches.close()
  await core.close()
  return (user + system) / 1000 / size
}

await perRun(SIZES[0]!) // compiled
const began = performance.now()
const figures: [size: number, ms: number][] = []
for (const size of SIZES) figures.push([size, await perRun(size)])
const ratio = figures.at(-1)![1] / figures[0]![1]
const rows: Row[] = figures.map(([size, ms]) => ({ what: `${size} runs: processor time of each`, figure: `${ms.toFixed(2)} ms`, limit: '–', met: null })) // prettier-ignore
rows.push({ what: `${SIZES.at(-1)} runs, × ${SIZES[0]}`, figure: ratio.toFixed(2), limit: String(LIMIT), met: ratio <= LIMIT })
report('batches', rows, { figures, ratio, seconds: (performance.now() - began) / 1000 })
