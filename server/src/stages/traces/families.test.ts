import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { SAMPLES, wireSamples } from './testing-samples.ts'

const FIX_TEST = '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe'
const FORK = 'ffffffff-f7a2-4c8e-8e8c-a6b6b6397fbe'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test('a fork with copied records is in the family of the original; other sessions are not', async () => {
  const core = openCore()
  const { capture, traces, importFolder, list, close } = wireSamples(core)
  closers.push(close, () => core.close())
  await importFolder()
  expect(await traces.families()).toEqual([])

  const folder = newFolder()
  const source = fs.readdirSync(SAMPLES, { recursive: true }).map(String).find((file) => file.endsWith(`${FIX_TEST}.jsonl`))! // prettier-ignore
  const text = fs.readFileSync(path.join(SAMPLES, source), 'utf8')
  fs.writeFileSync(path.join(folder, `${FORK}.jsonl`), text.replaceAll(FIX_TEST, FORK))
  const job = await core.jobs.wait(capture.startImport({ paths: [folder] }).id)
  expect(job.error).toBeNull()
  const { items } = await list()
  const idOf = (sessionId: string) => items.find((trace) => trace.sessionId === sessionId)!.id
  expect((await traces.families()).map((pair) => pair.toSorted())).toEqual([[idOf(FIX_TEST), idOf(FORK)].toSorted()])
})
