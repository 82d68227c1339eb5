import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { python } from './python.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const SAMPLES = path.resolve(import.meta.dirname, '../../samples')
/** Prints the number of sub-agents of each document. Exits with 1 at the first document that the package `atif` refuses. */
const VALIDATE = `
import json, sys
from atif import Trajectory
for document in json.load(sys.stdin):
    print(len(Trajectory.model_validate(document).subagent_trajectories or []))
`

let server: TestServer
afterEach(() => server.close())

it('exports every session as a document that the package `atif` accepts', async () => {
  server = await startTestServer()
  const { id } = await server.client.startImport({
    body: { paths: ['claude-code', 'other-agents'].map((name) => path.join(SAMPLES, name)) },
  })
  expect((await server.app.core.jobs.wait(id)).error).toBeNull()
  const { items } = await server.client.listTraces({ query: { limit: 100 } })
  const documents: unknown[] = []
  for (const trace of items) documents.push(await (await server.client.exportTrace({ params: { id: trace.id }, query: {} })).json())
  const counts = python(['-c', VALIDATE], JSON.stringify(documents)).trim().split('\n').map(Number)
  expect(counts).toEqual(items.map(({ counts: { subagents } }) => subagents))
  expect(Math.max(...counts)).toBeGreaterThan(0)
})
