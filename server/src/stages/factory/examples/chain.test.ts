import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { conversations, MARK, sessionOf } from '#server/stages/traces/testing-conversations.ts'
import { wireSamples } from '#server/stages/traces/testing-samples.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { makeExamples } from './make.ts'

let core: TestCore
let app: ReturnType<typeof wireSamples>
beforeAll(() => {
  core = openCore()
  app = wireSamples(core)
})
afterAll(async () => {
  await app.close()
  await core.close()
})

const idOf = (index: number) => `c0000000-0000-4000-8000-${String(index).padStart(12, '0')}`

it('gives rows that are each a path of the chain, whole, with what began every turn', { timeout: 120_000 }, async () => {
  const made = fc
    .sample(conversations, { numRuns: 150, seed: Number(process.env['BASHGYM_SEED'] ?? 20_261_121) })
    .map((acts, index) => ({ acts, ...sessionOf(idOf(index), acts) }))
  const folder = path.join(newFolder(), 'projects', '-home-dev-app')
  fs.mkdirSync(folder, { recursive: true })
  for (const [index, { lines }] of made.entries())
    fs.writeFileSync(path.join(folder, `${idOf(index)}.jsonl`), lines.map((line) => `${line}\n`).join(''))
  await app.importFolder(path.dirname(folder))
  for (const [index, { acts, paths, prompts, abandonedTurns }] of made.entries()) {
    const found = core.db.prepare<[string], { id: string }>('SELECT id FROM traces WHERE session_id = ?').get(idOf(index))
    if (!found) continue // nothing but a rewind or a copy of nothing
    const options = ExampleOptions.parse({ gapMinutes: 1440 })
    const { examples, trace } = makeExamples(readOnlyOfThread(core.paths.database), {
      archive: core.paths.archive,
      traceId: found.id,
      options,
    })!
    const rows = examples.map(({ messages }) => JSON.stringify(messages.slice(1)).match(MARK))
    const isAnswer = (mark: string) => mark.startsWith('«t')
    const right = paths.map((marks) => marks.slice(0, marks.findLastIndex(isAnswer) + 1)).filter((marks) => marks.length > 0)
    const hasCalls = paths.flat().some((mark) => mark.startsWith('«c'))
    expect({ acts, rows, counts: [trace.counts.prompts, trace.counts.abandonedTurns] }).toEqual({
      acts,
      rows: hasCalls ? right : [],
      counts: [prompts, abandonedTurns],
    })
  }
})
