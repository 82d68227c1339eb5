import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import type { ExamModel } from '#contracts/entities/exam.ts'
import type { Artifact } from '#contracts/entities/model.ts'
import { bash, transcriptOf } from '#server/stages/factory/testing-session.ts'
import { done, ended, makeExam, promptOf, sessionId } from '#server/stages/judge/exam/testing-exam.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { acceptingSessions, tinyModel } from '../support/trainer.ts'
import { PYTHON } from './python.ts'
import { closeServer, runWhen, temporaryFolder } from './training-server.ts'

// Import → exam → data set → training → export → exam, with a real model: the proof that the product exists for.
const HELD_OUT = 20
const work = temporaryFolder('exam')
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: testConfig({ python: PYTHON }) })
})
afterAll(() => closeServer(server, work))

/** What the client recorded of its requests: one tool, so that the prompts are short enough for a tiny model. */
const offered = (sessionId: string) => {
  const text = { type: 'string' }
  const tools = [
    { name: 'Bash', input_schema: { type: 'object', properties: { command: text, description: text }, required: ['command'] } },
  ]
  return { type: 'api-request-shape', sessionId, timestamp: '2026-11-01T10:00:00.000Z', shape: { system: [], tools } }
}

/** Sessions of somebody who always looks and then tests, in other words each time. */
async function importSessions(count: number): Promise<string[]> {
  const folder = path.join(work, 'sessions')
  fs.mkdirSync(folder)
  for (let at = 0; at < count; at += 1) {
    const calls = [bash('git status', `nothing to commit ${at * 7}`), bash('npm test', `${at * 13} passed`)]
    fs.writeFileSync(
      path.join(folder, `${sessionId(at)}.jsonl`),
      `${JSON.stringify(offered(sessionId(at)))}\n${transcriptOf(sessionId(at), promptOf(at), calls)}`,
    )
  }
  await done(server.client, await server.client.startImport({ body: { paths: [folder] } }))
  return (await server.client.listTraces({ query: { limit: '100' } })).items.map(({ id }) => id)
}

test('a trained model is proven better on sessions that it has not seen, itself no different, and its base worse', async () => {
  const { client } = server
  const traceIds = await importSessions(HELD_OUT + 24)
  const exam = await makeExam(client, traceIds.slice(0, HELD_OUT))
  expect(exam).toMatchObject({ sessions: HELD_OUT, items: 2 * HELD_OUT })

  const request = { kind: 'sft', name: 'rest', traceIds, review: 'not_rejected', minQuality: 0 } as const
  const dataset = await done<DatasetBuilt>(client, await client.buildDataset({ body: request }))
  expect((await client.getDataset({ params: { id: dataset.id } })).excluded).toContainEqual({ reason: 'in an exam', count: HELD_OUT })
  const baseModel = acceptingSessions(tinyModel(path.join(work, 'model'), PYTHON))
  const settings = { method: { kind: 'full' }, learningRate: 5e-3, maxSteps: 80, batchSize: 4, maxLength: 1024, evalSteps: null, saveSteps: null, samples: 0, threads: 1, device: 'cpu' } as const // prettier-ignore
  const { id } = await client.startRun({ body: { strategy: 'sft', baseModel, datasetId: dataset.id, settings } })
  const run = await runWhen(server, id, ({ state }) => state === 'completed')
  const model = run.modelId!
  await done<Artifact>(
    client,
    await client.exportModel({ params: { id: model }, body: { format: 'gguf', quantization: 'q8_0', parity: false } }),
  )

  const taken = async (candidate: ExamModel, against: ExamModel) => {
    const body = { model: candidate, against, maxTokens: 64 }
    const found = await ended(client, await client.startExamRun({ params: { id: exam.id }, body }))
    expect(found).toMatchObject({ state: 'completed', owed: 0 })
    return client.decideExamRun({ params: { id: exam.id, run: found.id } })
  }
  const [trained, base] = [{ kind: 'model', model } as const, { kind: 'base', model } as const]
  const better = await taken(trained, base)
  expect(better).toMatchObject({ verdict: 'ship', sessions: HELD_OUT })
  expect(better.delta).toBeGreaterThan(0.5)
  expect(Object.keys(better.model.hashes)).not.toHaveLength(0)
  expect(await taken(trained, trained)).toMatchObject({ delta: 0 })
  expect(await taken(base, trained)).toMatchObject({ verdict: 'worse' })
})
