import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block, Call } from '../examples/blocks.ts'
import { targetOf } from '../examples/retries.ts'
import { decisionsOf } from './decisions.ts'
import { matchTasks } from './match.ts'
import { jaccard } from '#server/likeness/shingles.ts'
import { reasonToReject, sideText } from './sides.ts'
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
  changed: [],
  command: null,
  at: null,
  endedAt: null,
  ...fields,
})
const block = (calls: Call[], prompt?: string): Block => ({
  prompts: prompt === undefined ? [] : [{ id: `p${(serial += 1)}`, text: prompt, role: 'prompt' }],
  id: `b${serial}`,
  messageId: null,
  thinking: [],
  texts: ['Let me see.'],
  calls,
  marks: new Set(),
  byMod: false,
  startsAnew: false,
  unasked: false,
})
const bash = (command: string, success: boolean) => call({ command, input: { command }, success })
const edit = (file: string, fields: Partial<Call>) =>
  call({ tool: 'Edit', file, input: { file_path: file, old_string: `x${serial}` }, ...fields })
const render = { thinking: true, system: null, opening: 'Go on' }

test('the cosine is 1 for equal words, 0 for none in common, symmetric and never above 1', () => {
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

test('prefers a similar task of the same repository to a more similar one of another', () => {
  const otherRepo = task({ repo: 'web' })
  const ownRepo = task({ prompt: 'mend the login of the admin page please' })
  const failed = task({ tier: 'failed' })
  const { pairs } = matchTasks([otherRepo, failed, ownRepo])
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

test('what happened after a session counts before its tier where it is known', () => {
  const [stayed, corrected] = [task({ tier: 'failed', outcome: 'kept' }), task({ tier: 'gold', outcome: 'corrected' })]
  expect(matchTasks([stayed, corrected]).pairs).toMatchObject([
    { why: 'A kept and a corrected session with similar prompts in the same repository', chosen: { traceId: stayed.traceId } },
  ])
  expect(
    matchTasks([
      { ...stayed, outcome: null },
      { ...corrected, outcome: null },
    ]).pairs,
  ).toMatchObject([{ chosen: { traceId: corrected.traceId } }])
})

test('uses another repository only if asked to, and flags the pair', () => {
  const tasks = [task({ repo: 'web' }), task({ tier: 'failed' })]
  expect(matchTasks(tasks, { acrossRepositories: true }).pairs[0]?.flags).toEqual(['other_repository'])
  expect(matchTasks(tasks)).toEqual({ pairs: [], dropped: [{ reason: 'similar tasks only in other repositories', count: 1 }] })
})

test('uses a chosen session at most twice, whatever its number of tasks, and counts the rest', () => {
  const chosen = [task({ traceId: 't' }), task({ traceId: 't' })]
  const { pairs, dropped } = matchTasks([...chosen, ...Array.from({ length: 5 }, () => task({ tier: 'failed' }))])
  expect(pairs).toHaveLength(2)
  expect(dropped).toEqual([{ reason: 'session already in two pairs', count: 3 }])
})

test('uses a failed session at most twice', () => {
  const failed = Array.from({ length: 4 }, () => task({ traceId: 'f', tier: 'failed' }))
  expect(matchTasks([...Array.from({ length: 4 }, () => task({})), ...failed]).pairs).toHaveLength(2)
})

test('never pairs other tasks, other agents, the same session or other tiers', () => {
  const failed = task({ tier: 'failed' })
  const unsuitable = [
    task({ prompt: 'write a poem about the sea' }),
    task({ agent: 'codex' }),
    task({ traceId: failed.traceId }),
    task({ tier: 'bronze' }),
    task({ tier: 'pending' }),
  ]
  expect(matchTasks([failed, ...unsuitable])).toEqual({ pairs: [], dropped: [{ reason: 'no similar successful task', count: 1 }] })
})

test('rejects sides that are nearly equal or differ tenfold in length', () => {
  const long = answerSide('many words stand here '.repeat(100))
  expect(reasonToReject(long, long)).toBe('sides nearly equal')
  expect(reasonToReject(long, answerSide('few words'))).toBe('one side over ten times longer')
  expect(reasonToReject(answerSide('one two three four five'), answerSide('six seven eight nine ten'))).toBeNull()
  expect(jaccard(Uint32Array.of(1, 2, 3), Uint32Array.of(2, 3, 4))).toBe(0.5)
})

test('does not depend on the order of the tasks', () => {
  const tasks = [task({}), task({}), task({ tier: 'failed' }), task({ tier: 'failed' }), task({ repo: 'web', tier: 'failed' })]
  const expected = matchTasks(tasks)
  fc.assert(
    fc.property(fc.shuffledSubarray(tasks, { minLength: tasks.length }), (shuffled) => {
      expect(matchTasks(shuffled)).toEqual(expected)
    }),
  )
})

test('pairs a failed command with the next one of its kind that succeeded', () => {
  const bad = bash('npm test --colour', false)
  const good = bash('npm test -- --color', true)
  const [pair, ...more] = decisionsOf(
    [block([bash('ls', true)], 'Run the tests'), block([bad]), block([call({ tool: 'Read', file: 'a' })]), block([good])],
    render,
  )
  expect(more).toEqual([])
  expect(pair).toMatchObject({ source: 'decision', chosen: { stepId: good.stepId }, rejected: { stepId: bad.stepId } })
  expect(pair!.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(pair!.rejectedMessages).toMatchObject([
    { role: 'assistant', tool_calls: [{ function: { arguments: { command: 'npm test --colour' } } }] },
  ])
  expect(pair!.chosenMessages).toMatchObject([
    { role: 'assistant', tool_calls: [{ function: { arguments: { command: 'npm test -- --color' } } }] },
  ])
})

test('uses the text before the failed call for both sides', () => {
  const first = { ...block([bash('npm test --colour', false)], 'Test'), texts: ['Run them.'] }
  const second = { ...block([bash('npm test', true)]), texts: ['That option is unknown; without it then.'] }
  const [pair] = decisionsOf([first, second], render)
  expect([pair!.chosenMessages[0]!.content, pair!.rejectedMessages[0]!.content]).toEqual(['Run them.', 'Run them.'])
})

test('pairs a refused edit with the accepted one as a correction', () => {
  const refused = edit('src/a.ts', { success: null, rejectedBy: 'user' })
  const accepted = edit('src/a.ts', { edits: true })
  const [pair] = decisionsOf([block([refused], 'Rename it'), block([accepted])], render)
  expect(pair).toMatchObject({
    source: 'correction',
    prompt: [{ role: 'user', content: 'Rename it' }],
    chosen: { stepId: accepted.stepId },
  })
})

test.each([
  [
    'the file was edited in between',
    [edit('a', { success: false })],
    [edit('a', { edits: true, tool: 'Write' })],
    [edit('a', { edits: true })],
  ],
  ['any file was edited between two runs of a command', [bash('npm test', false)], [edit('b', { edits: true })], [bash('npm test', true)]],
  ['the target differs', [bash('npm test', false)], [], [bash('npm run build', true)]],
  ['the next attempt failed too', [bash('make all', false)], [], [bash('make all -j2', false)]],
  ['the call was interrupted, not refused', [edit('a', { success: null, rejectedBy: 'interrupt' })], [], [edit('a', { edits: true })]],
])('makes no pair if %s', (_, first, between, last) => {
  const blocks = [block(first, 'Do it'), ...between.map((one) => block([one])), block(last)]
  expect(decisionsOf(blocks, render)).toEqual([])
})

test('ignores a success more than ten steps later', () => {
  const reads = Array.from({ length: 10 }, (_, at) => block([call({ tool: 'Read', file: `f${at}` })]))
  expect(decisionsOf([block([bash('npm test', false)], 'x'), ...reads, block([bash('npm test', true)])], render)).toEqual([])
  expect(decisionsOf([block([bash('npm test', false)], 'x'), ...reads.slice(1), block([bash('npm test', true)])], render)).toHaveLength(1)
})

test('the target of a call is its file, or the program and subcommand of its last command', () => {
  expect(targetOf(bash('cd api && npm --silent test', true))).toBe('Bash\0npm\0test')
  expect(targetOf(edit('x.ts', {}))).toBe('Edit\0x.ts')
  expect(targetOf(call({ tool: 'WebFetch' }))).toBeNull()
})
