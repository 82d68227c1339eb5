import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { loadConfig } from '#server/config.ts'
import { startTestServer } from '#server/testing/server.ts'
import { newFolder } from '#server/testing/folders.ts'
import { KEY, prepare, wording } from './testing-server.ts'

/** Requests answered before the kill, and unanswered at that moment. */
const ANSWERED = 5
const UNDER_WAY = 2

it('a killed run can be resumed: stored answers are not requested again, and unanswered requests stay reserved', async () => {
  const dataDir = newFolder()
  const config = loadConfig({ dataDir, port: 0 }, { HOME: dataDir, ANTHROPIC_API_KEY: KEY, BASHGYM_LOG: 'silent' })
  const killed = Promise.withResolvers<void>()
  let alive = true
  const stub = await startStub((request, index) => (alive && index >= ANSWERED ? 'hang' : wording(request, index)))
  try {
    const first = await startTestServer({ config })
    const examples = await prepare(first, stub.url)
    await first.close()
    const plan = { make: 'variants' as const, source: { ids: examples.slice(0, 6) }, variants: 2, budgetUsd: 1 }

    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-killed.ts'), dataDir, JSON.stringify(plan)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('close', () => killed.resolve())
    while (stub.received.length < ANSWERED + UNDER_WAY) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill('SIGKILL')
    await killed.promise
    expect(child.signalCode).toBe('SIGKILL')
    alive = false
    stub.received.length = 0

    const server = await startTestServer({ config })
    const [broken] = (await server.client.listSyntheticRuns({ query: {} })).items
    // Both workers wait for an answer, so every answer before theirs is stored.
    expect(broken).toMatchObject({
      state: 'interrupted',
      done: ANSWERED,
      kept: ANSWERED,
      tokens: { input: 120 * ANSWERED, output: 30 * ANSWERED },
    })
    expect(broken!.unsettledTokens).toBeGreaterThan(0)
    const job = await server.client.resumeSynthetic({ params: { id: broken!.id }, body: {} })
    const finishedJob = await server.app.core.jobs.wait(job.id)
    expect(finishedJob.result).toMatchObject({
      id: broken!.id,
      state: 'completed',
      done: 12,
      kept: 12,
      cached: ANSWERED,
      unsettledTokens: broken!.unsettledTokens,
    })
    expect(stub.received.length).toBe(12 - ANSWERED)
    const { items } = await server.client.listExamples({ query: { flag: 'generated', limit: 100 } })
    expect(items.length).toBe(12)
    await server.close()
  } finally {
    await stub.close()
  }
})
