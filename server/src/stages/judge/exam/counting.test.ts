import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExamVerdict } from '#contracts/entities/evaluation.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { createExamStore } from './store.ts'

interface Taken {
  verdict: ExamVerdict
  sessions?: number
  against?: { kind: 'base' | 'model'; model: string }
  metric?: string
  delta?: number
  files?: Record<string, string>
}

let core: TestCore
let models = 0
beforeAll(() => {
  core = openCore()
  core.db.prepare("INSERT INTO exams (no, id, name, hash, request, left_out, created_at) VALUES (1, 'e', 'Mine', '', '{}', '[]', 0)").run()
})
afterAll(() => core.close())

/** The verdicts of a model, decided in this order: what each of them stands for. */
function standings(...taken: Taken[]): (string | undefined)[] {
  const model = `model ${(models += 1)}`
  taken.forEach(
    ({ verdict, sessions = 24, against = { kind: 'base', model }, metric = 'calls', delta = 0.02, files = { adapter: 'a' } }, at) => {
      const { lastInsertRowid: run } = core.db
        .prepare(
          "INSERT INTO exam_runs (id, exam_no, state, request, sides, charged, is_priced, created_at) VALUES (?, 1, 'completed', ?, ?, '{}', 0, 0)",
        )
        .run(
          `run ${model} ${at}`,
          JSON.stringify({ model: { kind: 'model', model: model }, against }),
          JSON.stringify({ model: { id: model }, base: { id: 'Base' }, labels: { model: 'M', base: 'Base' } }),
        )
      const ends = { low: delta - 0.03, high: delta + 0.03 }
      const body = {
        verdict,
        delta,
        sessions,
        intervals: { bootstrap: ends, clustered: ends },
        forms: { metric },
        model: { id: model, hashes: files },
      }
      core.db.prepare('INSERT INTO exam_certificates (run_no, body, at) VALUES (?, ?, ?)').run(run, JSON.stringify(body), at)
    },
  )
  return createExamStore(core.db, core.now)
    .verdictsOf(model)
    .map(({ exam }) => exam?.standing)
}

test('a run that shows nothing takes no proof away; of two proofs the one from more sessions counts', () => {
  expect(standings({ verdict: 'ship' }, { verdict: 'not_proven', sessions: 4 }, { verdict: 'refused' })).toEqual([
    'proof',
    'beside',
    'beside',
  ])
  expect(standings({ verdict: 'ship', sessions: 40 }, { verdict: 'ship', sessions: 20 })).toEqual(['proof', 'beside'])
  expect(standings({ verdict: 'not_proven' }, { verdict: 'refused' })).toEqual(['beside', 'counts'])
})

test('a run that finds the opposite takes it away, and fewer sessions do not bring it back', () => {
  expect(standings({ verdict: 'ship', sessions: 200 }, { verdict: 'worse', sessions: 20 })).toEqual(['beside', 'counts'])
  expect(standings({ verdict: 'ship' }, { verdict: 'bounded_null' })).toEqual(['beside', 'counts'])
  expect(standings({ verdict: 'ship' }, { verdict: 'bounded_null', metric: 'tasks' })).toEqual(['proof', 'beside'])
  expect(standings({ verdict: 'ship' }, { verdict: 'not_proven', delta: 0.1 }), 'it falls at a benchmark').toEqual(['beside', 'counts'])
  expect(standings({ verdict: 'worse', sessions: 100 }, { verdict: 'ship', sessions: 20 })).toEqual(['counts', 'beside'])
  expect(standings({ verdict: 'worse', sessions: 20 }, { verdict: 'ship', sessions: 100 })).toEqual(['beside', 'proof'])
})

test('only verdicts about the same files and against its own base prove anything; exports are made later from the same files', () => {
  const other = { kind: 'model' as const, model: 'o'.repeat(26) }
  expect(standings({ verdict: 'ship', against: other })).toEqual(['counts'])
  expect(standings({ verdict: 'ship' }, { verdict: 'worse', against: other })).toEqual(['proof', 'beside'])
  expect(standings({ verdict: 'ship' }, { verdict: 'not_proven', files: { adapter: 'b' } })).toEqual(['beside', 'counts'])
  expect(standings({ verdict: 'ship' }, { verdict: 'not_proven', files: { adapter: 'a', 'gguf q4_k_m': 'c' } })).toEqual([
    'proof',
    'beside',
  ])
})
