import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Dataset } from '#contracts/entities/dataset.ts'
import { ExamRequest, ExamRunRequest } from '#contracts/entities/exam.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { createSharedTexts } from '../../factory/index.ts'
import { createExams, type ExamDeps } from './service.ts'

const id = (letter: string) => letter.repeat(26)
const SESSIONS = ['a', 'b', 'c', 'd'].map(id)
const SOURCES = [
  { traceId: id('a'), split: 'train', examples: 1 },
  { traceId: id('b'), split: 'test', examples: 1 },
  { traceId: id('f'), split: 'val', examples: 1 },
]

const DATASETS: Readonly<Record<string, unknown>> = { known: SOURCES, near: [] }
const PROMPT = 'Mend the amber page of the shop, so that every order of every customer is shown once and only once'

/** Exams with one of four sessions; model m was trained on some of them, and session c shares records with f. */
function openExams(core: TestCore, onDecided: ExamDeps['onDecided'] = () => undefined, trained: string[] = []) {
  const found = { payer: 'No one.', receiver: 'it', isOutside: false, model: 'it', price: null, dialect: 'openai' as const, missing: null }
  const work = {
    withFamilies: async (ids: Iterable<string>) => new Set([...ids].flatMap((one) => (one === id('f') ? [one, id('c')] : one))),
  }
  const exams = createExams(core, {
    work: work as unknown as ExamDeps['work'],
    endpoints: { find: () => found, open: () => Promise.reject(new Error('nothing is asked')) },
    registry: {
      facts: (model) => ({ name: `Model ${model[0]}`, hashes: {}, base: { name: 'Base', hashes: {} } }),
      trainedOn: (model) => ({
        datasets: model === id('m') ? ['known'] : model === id('n') ? ['near'] : [],
        isWhole: model === id('m'),
      }),
      serveBase: () => Promise.reject(new Error('nothing is served')),
    },
    datasets: { find: (name) => (DATASETS[name] ? ({ sources: DATASETS[name] } as Dataset) : null), ids: () => ['known'] },
    sharedTexts: createSharedTexts(core, (name) => (name === 'near' ? trained : [])),
    readCalls: async () => [],
    ...({} as Pick<ExamDeps, 'traces' | 'checks' | 'git' | 'agents'>), // of tasks only
    version: '0',
    newId: () => id('r'),
    onDecided,
    probeOf: (model) => (model === id('l') ? LEAKS : null),
    benchmarks: (model) =>
      model.id === id('g') ? [{ title: 'GSM8K', items: 500, delta: -0.08, low: -0.12, high: -0.04, discordant: 60 }] : [],
  })
  const request = ExamRequest.parse({})
  const items = SESSIONS.map((traceId, no) => ({ no, id: String(no), traceId, stepId: null, call: CALL, messages: [], tools: [] }))
  core.tx(() =>
    exams.store.add(
      { id: id('x'), kind: 'next_calls', state: 'ready', name: 'Mine', hash: '', request, leftOut: [] },
      { sessions: SESSIONS.map((traceId) => ({ traceId, repo: null, texts: traceId === id('d') ? [PROMPT] : [] })), items },
    ),
  )
  return exams
}

const PHRASE = { id: '1', exposure: 6, extracted: true, sampled: 0 }
const LEAKS = {
  at: '2026-10-01T00:00:00.000Z',
  state: 'leaks' as const,
  planted: [PHRASE],
  controls: [],
  endings: 64,
  extracted: 1,
  bound: 1,
  p: null,
  samples: 8,
  places: null,
}

const CALL = { name: 'Bash', arguments: { command: 'npm test' } }

test('a model that was trained on a session of the exam, or on a fork of one, is named and refused; what a test split has is unseen', async () => {
  const core = openCore()
  const exams = openExams(core)
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

test('so is one that was trained on a copy of a session with a word changed; another row on the same repository is no copy', async () => {
  const core = openCore()
  const file = path.join(newFolder(), 'train.jsonl')
  const rowOf = (content: string) => `${JSON.stringify({ messages: [{ role: 'user', content }], tools: [] })}\n`
  const exams = openExams(core, undefined, [file])
  const refusals = async () =>
    (await exams.runs.plan(id('x'), ExamRunRequest.parse({ model: { kind: 'model', model: id('n') } }))).refusals.map(
      ({ message }) => message,
    )
  fs.writeFileSync(file, rowOf(`Mend the amber page of the shop, and then write down in the notes what you found there and why it was so`))
  expect(await refusals()).toEqual([])
  fs.writeFileSync(file, rowOf(PROMPT.replace('shown', 'listed')))
  expect(await refusals()).toEqual([expect.stringContaining('was trained on 1 of the 4 sessions')])
  await core.close()
})

test('a decided run is the verdict of its model, the newest certificate of the run counts, and a run of a model with itself is none', async () => {
  const core = openCore()
  const decided: string[] = []
  const exams = openExams(core, (model) => void decided.push(model))
  const { no } = exams.store.require(id('x'))
  const take = (run: string, base: string, rightOf: { model: boolean; base: boolean }) => {
    core.tx(() => {
      const sides = { model: { id: id('o'), hashes: {} }, base: { id: base, hashes: {} }, labels: { model: 'Model o', base: 'Base' } }
      const model = { kind: 'model' as const, model: id('o') }
      exams.store.addRun({
        id: run,
        examNo: no,
        request: ExamRunRequest.parse({ model, against: { kind: 'base', model: id('o') } }),
        sides,
        isPriced: false,
      })
      exams.store.change(run, { state: 'completed', queuePlace: null })
      for (const { no: itemNo } of exams.store.items(no))
        for (const side of ['model', 'base'] as const)
          exams.store.addAnswer(exams.store.requireRun(run), itemNo, side, {
            state: 'answered',
            call: rightOf[side] ? CALL : null,
            text: '',
            error: null,
            ms: 1,
            attempt: 1,
          })
    })
    return exams.runs.decide(exams.store.requireRun(run))
  }
  expect(exams.verdictsOf(id('o'))).toEqual([])
  take(id('s'), id('o'), { model: true, base: true })
  expect(exams.verdictsOf(id('o')), 'it met itself').toEqual([])
  expect(take(id('t'), 'Base', { model: false, base: true }).verdict).toBe('worse')
  expect(exams.verdictsOf(id('o'))).toMatchObject([
    {
      value: -1,
      n: 4,
      exam: { examId: id('x'), run: id('t'), name: 'Mine', against: 'Base', verdict: 'worse', interval: { low: -1, high: -1 } },
    },
  ])
  expect(exams.verdictsOf(id('m'))).toEqual([])
  expect(decided).toEqual([id('o'), id('o')])
  await core.close()
})

test('a model that writes its training data, or falls at a general benchmark, does not ship, and its certificate says why', async () => {
  const core = openCore()
  const exams = openExams(core)
  const many = Array.from({ length: 24 }, (_, index) => String(index).padStart(26, 'z'))
  const items = many.map((traceId, no) => ({ no, id: String(no), traceId, stepId: null, call: CALL, messages: [], tools: [] }))
  const request = ExamRequest.parse({})
  core.tx(() =>
    exams.store.add(
      { id: id('y'), kind: 'next_calls', state: 'ready', name: 'Large', hash: '', request, leftOut: [] },
      { sessions: many.map((traceId) => ({ traceId, repo: null, texts: [] })), items },
    ),
  )
  const { no } = exams.store.require(id('y'))
  const verdict = (letter: string) => {
    core.tx(() => {
      const sides = { model: { id: id(letter), hashes: {} }, base: { id: 'Base', hashes: {} }, labels: { model: 'Model', base: 'Base' } }
      exams.store.addRun({
        id: id(letter),
        examNo: no,
        request: ExamRunRequest.parse({ model: { kind: 'model', model: id(letter) } }),
        sides,
        isPriced: false,
      })
      exams.store.change(id(letter), { state: 'completed', queuePlace: null })
      for (const item of items)
        for (const side of ['model', 'base'] as const)
          exams.store.addAnswer(exams.store.requireRun(id(letter)), item.no, side, {
            state: 'answered',
            call: side === 'model' ? CALL : null,
            text: '',
            error: null,
            ms: 1,
            attempt: 1,
          })
    })
    return exams.runs.decide(exams.store.requireRun(id(letter)))
  }
  expect(verdict('o')).toMatchObject({
    verdict: 'ship',
    errors: expect.arrayContaining([
      'General benchmarks: not measured.',
      'Leak probe: not measured.',
      'Not verified: this model was also trained on files whose sessions are not known here.',
      'Not verified: the files of the base, whose hashes are not known here.',
    ]) as unknown,
  })
  expect(verdict('g')).toMatchObject({
    verdict: 'not_proven',
    errors: expect.arrayContaining(['GSM8K: −.080 on 500 items; a fall of more than 0.05 is not excluded.']) as unknown,
  })
  expect(verdict('l')).toMatchObject({
    verdict: 'refused',
    errors: expect.arrayContaining([
      expect.stringContaining('its probe found'),
      'Leak probe: 1 of 1 planted phrases reproduced; with 95 % confidence at most 100 %.',
    ]) as unknown,
  })
  await core.close()
})
