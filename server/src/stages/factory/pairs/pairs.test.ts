import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block, Call } from '../examples/blocks.ts'
import { targetOf } from '../examples/retries.ts'
import { decisionsOf } from './decisions.ts'
import { matchTasks } from './match.ts'
import { jaccard } from '#server/likeness/shingles.ts'
import { reasonAgainst, sideText } from './sides.ts'
import { TfIdf, VectorIndex } from './tf-idf.ts'
import type { Task } from './types.ts'

const answerSide = (content: string) => sideText([{ role: 'assistant', content }])
let serial = 0
const task = (fields: Partial<Task>): Task => ({
  traceId: `t${(serial += 1)}`,
  exampleId: `e${serial}`,
  agent: 'claude-code',
  repo: 'api',
  tier: 'gold',
  quality: 0.9,
  prompt: 'mend the login of the admin page',
  steps: 4,
  ...answerSide(`answer number ${serial}: ${'word '.repeat(serial)}`),
  ...fields,
})
const call = (fields: Partial<Call>): Call => ({
  stepId: `s${(serial += 1)}`,
  messageId: null,
  tool: 'Bash',
  input: { command: 'true' },
  output: '',
  keptChars: 0,
  cutChars: 0,
  success: true,
  rejectedBy: null,
  file: null,
  edits: false,
  command: null,
  at: null,
  endedAt: null,
  ...fields,
})
const block = (calls: Call[], prompt?: string): Block => ({
  prompts: prompt === undefined ? [] : [{ id: `p${(serial += 1)}`, text: prompt }],
  id: `b${serial}`,
  thinking: [],
  texts: ['Let me see.'],
  calls,
  marks: new Set(),
})
const bash = (command: string, success: boolean) => call({ command, input: { command }, success })
const edit = (file: string, fields: Partial<Call>) =>
  call({ tool: 'Edit', file, input: { file_path: file, old_string: `x${serial}` }, ...fields })
const render = { thinking: true, system: null, opening: 'Go on' }

test('cosine is 1 for the same words, 0 for none in common, symmetric and never above 1', () => {
  fc.assert(
    fc.property(fc.array(fc.lorem({ maxCount: 8 }), { minLength: 2, maxLength: 12 }), (texts) => {
      const tfIdf = new TfIdf(texts)
      const index = new VectorIndex()
      texts.forEach((text, at) => index.add(at, tfIdf.vector(text)))
      texts.forEach((text, at) => {
        const cosines = index.cosines(tfIdf.vector(text))
        expect(cosines[at]).toBeCloseTo(1)
        for (const [other, cosine] of cosines.entries()) {
          expect(cosine).toBeLessThanOrEqual(1 + 1e-9)
          expect(index.cosines(tfIdf.vector(texts[other]!))[at]).toBeCloseTo(cosine)
        }
      })
    }),
  )
  const foreign = new VectorIndex()
  foreign.add(0, new TfIdf(['a b']).vector('a b'))
  expect([...foreign.cosines(new TfIdf(['c']).vector('c'))]).toEqual([0])
})

test('a failed task is paired with the similar one of its own repository, though another repository has one more alike', () => {
  const far = task({ repo: 'web' })
  const ownRepo = task({ prompt: 'mend the login of the admin page please' })
  const failed = task({ tier: 'failed' })
  const { pairs } = matchTasks([far, failed, ownRepo])
  expect(pairs).toHaveLength(1)
  expect(pairs[0]).toMatchObject({
    source: 'task',
    promptText: failed.prompt,
    repo: 'api',
    flags: [],
    chosen: { exampleId: ownRepo.exampleId },
  })
  expect(pairs[0]!.similarity).toBeGreaterThan(0.6)
})

test('without one at home another repository serves only when that is asked for, and the pair says so', () => {
  const tasks = [task({ repo: 'web' }), task({ tier: 'failed' })]
  expect(matchTasks(tasks, { acrossRepositories: true }).pairs[0]?.flags).toEqual(['other_repository'])
  expect(matchTasks(tasks)).toEqual({ pairs: [], left: [{ reason: 'similar tasks only in other repositories', count: 1 }] })
})

test('a chosen task is used at most twice; those that are left over are counted', () => {
  const { pairs, left } = matchTasks([task({}), ...Array.from({ length: 5 }, () => task({ tier: 'failed' }))])
  expect(pairs).toHaveLength(2)
  expect(left).toEqual([{ reason: 'session already in two pairs', count: 3 }])
})

test('a failed session with many tasks is in two pairs too', () => {
  const failed = Array.from({ length: 4 }, () => task({ traceId: 'f', tier: 'failed' }))
  expect(matchTasks([...Array.from({ length: 4 }, () => task({})), ...failed]).pairs).toHaveLength(2)
})

test('two tasks of one session are chosen twice together', () => {
  const { pairs } = matchTasks([
    task({ traceId: 't' }),
    task({ traceId: 't' }),
    ...Array.from({ length: 4 }, () => task({ tier: 'failed' })),
  ])
  expect(pairs).toHaveLength(2)
})

test('other tasks, other agents, the same session and other tiers make no pair', () => {
  const failed = task({ tier: 'failed' })
  const none = [
    task({ prompt: 'write a poem about the sea' }),
    task({ agent: 'codex' }),
    task({ traceId: failed.traceId }),
    task({ tier: 'bronze' }),
    task({ tier: 'pending' }),
  ]
  expect(matchTasks([failed, ...none])).toEqual({ pairs: [], left: [{ reason: 'no similar successful task', count: 1 }] })
})

test('sides that are nearly equal or differ tenfold in length are left out, by reason', () => {
  const long = answerSide('many words stand here '.repeat(100))
  expect(reasonAgainst(long, long)).toBe('sides nearly equal')
  expect(reasonAgainst(long, answerSide('few words'))).toBe('one side over ten times longer')
  expect(reasonAgainst(answerSide('one two three four five'), answerSide('six seven eight nine ten'))).toBeNull()
  expect(jaccard(Uint32Array.of(1, 2, 3), Uint32Array.of(2, 3, 4))).toBe(0.5)
})

test('the order of the tasks does not matter', () => {
  const tasks = [task({}), task({}), task({ tier: 'failed' }), task({ tier: 'failed' }), task({ repo: 'web', tier: 'failed' })]
  const expected = matchTasks(tasks)
  fc.assert(
    fc.property(fc.shuffledSubarray(tasks, { minLength: tasks.length }), (some) => {
      expect(matchTasks(some)).toEqual(expected)
    }),
  )
})

test('a failed command against the next one of its kind that succeeded, from one context', () => {
  const bad = bash('npm test --colour', false)
  const good = bash('npm test -- --color', true)
  const [found, ...more] = decisionsOf(
    [block([bash('ls', true)], 'Run the tests'), block([bad]), block([call({ tool: 'Read', file: 'a' })]), block([good])],
    render,
  )
  expect(more).toEqual([])
  expect(found).toMatchObject({ source: 'decision', chosen: { stepId: good.stepId }, rejected: { stepId: bad.stepId } })
  expect(found!.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(found!.rejectedMessages).toMatchObject([
    { role: 'assistant', tool_calls: [{ function: { arguments: { command: 'npm test --colour' } } }] },
  ])
  expect(found!.chosenMessages).toMatchObject([
    { role: 'assistant', tool_calls: [{ function: { arguments: { command: 'npm test -- --color' } } }] },
  ])
})

test('both sides begin with the same words: those before the second try speak of a failure that its side does not have', () => {
  const first = { ...block([bash('npm test --colour', false)], 'Test'), texts: ['Run them.'] }
  const second = { ...block([bash('npm test', true)]), texts: ['That option is unknown; without it then.'] }
  const [found] = decisionsOf([first, second], render)
  expect([found!.chosenMessages[0]!.content, found!.rejectedMessages[0]!.content]).toEqual(['Run them.', 'Run them.'])
})

test('an edit that the user refused against the one that passed is a correction', () => {
  const refused = edit('src/a.ts', { success: null, rejectedBy: 'user' })
  const accepted = edit('src/a.ts', { edits: true })
  const [found] = decisionsOf([block([refused], 'Rename it'), block([accepted])], render)
  expect(found).toMatchObject({
    source: 'correction',
    prompt: [{ role: 'user', content: 'Rename it' }],
    chosen: { stepId: accepted.stepId },
  })
})

test.each([
  [
    'the file was edited between',
    [edit('a', { success: false })],
    [edit('a', { edits: true, tool: 'Write' })],
    [edit('a', { edits: true })],
  ],
  ['any edit is between two runs of a command', [bash('npm test', false)], [edit('b', { edits: true })], [bash('npm test', true)]],
  ['the target is another', [bash('npm test', false)], [], [bash('npm run build', true)]],
  ['the next try failed too and nothing followed', [bash('make all', false)], [], [bash('make all -j2', false)]],
  ['an interrupt is no refusal', [edit('a', { success: null, rejectedBy: 'interrupt' })], [], [edit('a', { edits: true })]],
])('no pair where %s', (_, first, between, last) => {
  const blocks = [block(first, 'Do it'), ...between.map((one) => block([one])), block(last)]
  expect(decisionsOf(blocks, render)).toEqual([])
})

test('a success more than ten steps later is not held against the failure', () => {
  const looks = Array.from({ length: 10 }, (_, at) => block([call({ tool: 'Read', file: `f${at}` })]))
  expect(decisionsOf([block([bash('npm test', false)], 'x'), ...looks, block([bash('npm test', true)])], render)).toEqual([])
  expect(decisionsOf([block([bash('npm test', false)], 'x'), ...looks.slice(1), block([bash('npm test', true)])], render)).toHaveLength(1)
})

test('the target of a call is its file, or program and first word of its last command', () => {
  expect(targetOf(bash('cd api && npm --silent test', true))).toBe('Bash\0npm\0test')
  expect(targetOf(edit('x.ts', {}))).toBe('Edit\0x.ts')
  expect(targetOf(call({ tool: 'WebFetch' }))).toBeNull()
})
