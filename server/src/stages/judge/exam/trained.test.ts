import { expect, test } from 'vitest'
import type { Dataset } from '#contracts/entities/dataset.ts'
import { ExamRequest, ExamRunRequest } from '#contracts/entities/exam.ts'
import { openCore } from '#server/testing/core.ts'
import { createExams, type ExamDeps } from './service.ts'

const id = (letter: string) => letter.repeat(26)
const SESSIONS = ['a', 'b', 'c', 'd'].map(id)

test('a model that was trained on a session of the exam, or on a fork of one, is named and refused; what a test split has is unseen', async () => {
  const core = openCore()
  const sources = [
    { traceId: id('a'), split: 'train', examples: 1 },
    { traceId: id('b'), split: 'test', examples: 1 },
    { traceId: id('f'), split: 'val', examples: 1 },
  ]
  const found = { payer: 'No one.', receiver: 'it', isOutside: false, model: 'it', price: null, dialect: 'openai' as const, missing: null }
  const work = {
    withFamilies: async (ids: Iterable<string>) => new Set([...ids].flatMap((one) => (one === id('f') ? [one, id('c')] : one))),
  } // c shares records with f
  const exams = createExams(core, {
    work: work as unknown as ExamDeps['work'],
    endpoints: { find: () => found, open: () => Promise.reject(new Error('nothing is asked')) },
    registry: {
      facts: (model) => ({ name: `Model ${model[0]}`, hashes: {}, base: { name: 'Base', hashes: {} } }),
      trainedOn: (model) => ({ datasets: model === id('m') ? ['known'] : [], isWhole: model === id('m') }),
      serveBase: () => Promise.reject(new Error('nothing is served')),
    },
    datasets: { find: (name) => (name === 'known' ? ({ sources } as Dataset) : null), ids: () => ['known'] },
    readCalls: async () => [],
    ...({} as Pick<ExamDeps, 'traces' | 'checks' | 'git' | 'agents'>), // of tasks only
    version: '0',
    newId: () => id('r'),
  })
  const request = ExamRequest.parse({})
  const items = SESSIONS.map((traceId, no) => ({
    no,
    id: String(no),
    traceId,
    stepId: null,
    call: { name: 'Bash', arguments: {} },
    messages: [],
    tools: [],
  }))
  core.tx(() =>
    exams.store.add(
      { id: id('x'), kind: 'next_calls', state: 'ready', name: 'Exam', hash: '', request, leftOut: [] },
      { sessions: SESSIONS.map((traceId) => ({ traceId, repo: null, texts: [] })), items },
    ),
  )
  const runOf = (model: string) => ExamRunRequest.parse({ model: { kind: 'model', model } })
  const plan = (model: string) => exams.runs.plan(id('x'), runOf(model))
  const { refusals } = await plan(id('m'))
  expect(refusals.map(({ message }) => message)).toEqual([
    'Model m was trained on 2 of the 4 sessions of this exam, so it may know the answers.',
  ])
  await expect(exams.runs.start(id('x'), runOf(id('m')))).rejects.toMatchObject({
    code: 'exam_run_refused',
  })
  expect(await plan(id('o'))).toMatchObject({ refusals: [], notes: [expect.stringContaining('Not verified')] })
  await core.close()
})
