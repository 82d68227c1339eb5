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
import { bash, transcriptOf } from '../testing-session.ts'
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

it('never trains on what a mod answered', async () => {
  const [only, mixed] = [idOf(900), idOf(901)]
  const folder = path.join(newFolder(), 'projects', '-home-dev-app')
  fs.mkdirSync(folder, { recursive: true })
  const calls = (count: number) => Array.from({ length: count }, (_, index) => bash(`ls ${index}`, 'a.ts'))
  const byMod = (line: string, index: number): string =>
    line.includes('"tool_use"') ? line.replace(/"id":"m[^"]*"/, `"id":"msg_hook_${index}"`) : line
  const write = (id: string, count: number) =>
    fs.writeFileSync(
      path.join(folder, `${id}.jsonl`),
      transcriptOf(id, 'Look around', calls(4))
        .split('\n')
        .map((line, index) => (index < count ? byMod(line, index) : line))
        .join('\n'),
    )
  write(only, Infinity)
  write(mixed, 3)
  await app.importFolder(path.dirname(folder))
  const make = (id: string, anyOutcome: boolean) => {
    const found = core.db.prepare<[string], { id: string }>('SELECT id FROM traces WHERE session_id = ?').get(id)!
    const input = { archive: core.paths.archive, traceId: found.id, options: ExampleOptions.parse({}), anyOutcome }
    const { examples, excluded } = makeExamples(readOnlyOfThread(core.paths.database), input)!
    const weights = examples.flatMap(({ messages }) => messages.flatMap((one) => (one.role === 'assistant' ? [one.weight ?? 1] : [])))
    return [weights, excluded.map(({ reason }) => reason)]
  }
  expect(make(only, false)).toEqual([[], ['answered_by_mod']])
  expect(make(mixed, false)).toEqual([[0, 1, 1, 1], []])
  expect(make(mixed, true)).toEqual([[], ['answered_by_mod']]) // a side of a pair is compared as a whole
})
