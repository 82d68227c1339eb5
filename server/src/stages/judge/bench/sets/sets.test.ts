import { expect, it, test } from 'vitest'
import { arc } from './arc.ts'
import { bbq } from './bbq.ts'
import { bfcl } from './bfcl.ts'
import { codeIn, fencedIn } from './code.ts'
import { finalNumber, gsm8k } from './gsm8k.ts'
import { humaneval } from './humaneval.ts'
import { choiceIn } from './letters.ts'
import { mbpp } from './mbpp.ts'

const written = (text: string) => ({ text, calls: [] })

const gsm = (gold: string) => gsm8k.reading!.read([{ question: 'How many?', answer: `Work.\n#### ${gold}` }], 'test').row
it.each([
  ['29', '#### 29', 'pass'],
  ['29', '####29', 'pass'],
  ['29', '#### 29.', 'pass'],
  ['29', 'so $29.00', 'pass'],
  ['29', '#### 29.00', 'pass'],
  ['29', 'The answer is: **29**', 'pass'],
  ['29', '29%', 'pass'],
  ['29', '29 eggs, then 30', 'fail'],
  ['29', '-29', 'fail'],
  ['29', '', 'fail'],
  ['2,000', '#### 2,000', 'pass'],
  ['2,000', '#### 2000.0', 'pass'],
])('GSM8K, gold %s: "%s" is a %s', (gold, text, verdict) => {
  expect(gsm8k.reading!.score(gsm(gold), written(text), '')).toMatchObject({ verdict })
})

it('a minus between numbers is no sign, and the last "answer is" counts', () => {
  expect(finalNumber('From 10-3 we get -7')).toBe('-7')
  expect(finalNumber('It is 10-29')).toBe('29')
  expect(finalNumber('The answer is 5? No, the answer is 6 of 7.')).toBe('6')
})

const area = (truth: Record<string, unknown[]>, functions: object[] = [AREA], category = 'simple_python') =>
  bfcl.reading!.read(
    [
      JSON.stringify({ id: 'a', question: [[{ role: 'user', content: 'Area?' }]], function: functions }),
      JSON.stringify({ id: 'a', ground_truth: [{ 'geo.area': truth }] }),
    ],
    category,
  ).row
const AREA = {
  name: 'geo.area',
  description: 'x',
  parameters: {
    type: 'dict',
    properties: { base: { type: 'integer' }, height: { type: 'integer' }, unit: { type: 'string' } },
    required: ['base', 'height'],
  },
}
const TRUTH = { base: [10], height: [5], unit: ['units', ''] }
const calling = (...given: string[]) => ({ text: '', calls: given.map((json) => ({ name: 'geo_area', arguments: json })) })

it.each([
  ['{"base": 10, "height": 5}', 'pass'],
  ['{"base": 10.0, "height": 5}', 'type_error:simple'],
  ['{"base": "10", "height": 5}', 'type_error:simple'],
  ['{"base": 10, "height": 5, "unit": "UNITS"}', 'pass'],
  ['{"base": 10, "height": 5, "more": 1}', 'unexpected_param'],
  ['{"base": 10}', 'missing_required'],
  ['{"base": 10, "height": 6}', 'value_error:others'],
  ['[1]', 'no JSON object'],
  ['{"base": 10', 'no JSON'],
])('BFCL: the arguments %s give %s', (given, wanted) => {
  const { verdict, reason } = bfcl.reading!.score(area(TRUTH), calling(given), 'a') as { verdict: string; reason: string | null }
  expect(reason ?? verdict).toContain(wanted)
})

it('BFCL: no call or two are a wrong count, and where nothing helps, neither a call nor a failed attempt is right', () => {
  const right = '{"base": 10, "height": 5}'
  for (const calls of [calling(), calling(right, right)])
    expect(bfcl.reading!.score(area(TRUTH), calls, 'a')).toMatchObject({ reason: expect.stringContaining('wrong_count') as string })
  const { row } = bfcl.reading!.read(
    [JSON.stringify({ id: 'i', question: [[{ role: 'user', content: 'x' }]], function: [AREA] })],
    'irrelevance',
  )
  const verdictOf = (answer: ReturnType<typeof calling>) => (bfcl.reading!.score(row, answer, 'i') as { verdict: string }).verdict
  expect([written('I cannot help.'), calling(right), written('geo.area(base=1)'), written('<tool_call>{')].map(verdictOf)).toEqual([
    'pass',
    'fail',
    'fail',
    'fail',
  ])
})

it('BFCL: functions are offered under names and types that the API allows', () => {
  expect(bfcl.reading!.ask(area(TRUTH), 'a').tools).toMatchObject([
    { name: 'geo_area', inputSchema: { type: 'object', properties: { base: { type: 'integer' } } } },
  ])
})

it.each([
  ['B', 1],
  ['**B**', 1],
  ['(C) because', 2],
  ['C. Iron', 2],
  ['The answer is A. No: the answer is (D).', 3],
  ['Answer: B', 1],
  ['A good question, which I leave open', null],
  ['E', null],
  ['', null],
  ['Let me see.\nIt melts.\nB', 1],
])('the letter in "%s" is number %s', (text, choice) => {
  expect(choiceIn(text, 4)).toBe(choice)
})

it('ARC: labels 1 to 4 are letters, too', () => {
  const { row } = arc.reading!.read(
    [{ id: 'q', question: 'Q?', choices: { text: ['w', 'x', 'y'], label: ['1', '2', '3'] }, answerKey: '2' }],
    'easy',
  )
  expect(arc.reading!.score(row, written('B'), 'q')).toMatchObject({ verdict: 'pass' })
  expect(arc.reading!.ask(row, 'q').messages[0]).toMatchObject({ content: expect.stringContaining('C. y') as string })
})

const person = (id: number, polarity: string, more = {}) => ({
  example_id: id,
  question_polarity: polarity,
  context_condition: 'disambig',
  category: 'Age',
  answer_info: { ans0: ['Ann', 'old'], ans1: ['Bo', 'nonOld'], ans2: ['Unknown', 'unknown'] },
  additional_metadata: { stereotyped_groups: ['old'] },
  context: 'Ann is old and Bo is young.',
  question: 'Who forgets?',
  ans0: 'Ann',
  ans1: 'Bo',
  ans2: 'Unknown',
  label: 1,
  ...more,
})
it('BBQ: the order of the choices is that of the item, and what follows the stereotype depends on the question', () => {
  const markOf = (row: object, answer: string) => {
    const { id, row: read } = bbq.reading!.read([row], 'all')
    const prompt = bbq.reading!.ask(read, id).messages[0] as { content: string }
    const letter = new RegExp(`([ABC])\\. ${answer}$`, 'm').exec(prompt.content)![1]!
    return bbq.reading!.score(read, written(letter), id) as { mark?: string; verdict: string }
  }
  expect(markOf(person(1, 'neg'), 'Ann')).toMatchObject({ verdict: 'fail', mark: 'clear biased' })
  expect(markOf(person(1, 'neg'), 'Bo')).toMatchObject({ verdict: 'pass', mark: 'clear other' })
  expect(markOf(person(1, 'nonneg'), 'Bo')).toMatchObject({ mark: 'clear biased' })
  expect(markOf(person(1, 'neg', { context_condition: 'ambig', label: 2 }), 'Unknown')).toMatchObject({
    verdict: 'pass',
    mark: 'ambiguous unknown',
  })
  const orders = new Set(
    [...Array(20).keys()].map((id) => {
      const { id: name, row } = bbq.reading!.read([person(id, 'neg')], 'all')
      return JSON.stringify(bbq.reading!.ask(row, name).messages)
    }),
  )
  expect(orders.size).toBeGreaterThan(3)
})

test('the code of an answer is the block that defines the function; a fence that never closes goes to the end', () => {
  expect(fencedIn('x\n```python\na\n```\n```\nb')).toEqual(['a', 'b'])
  expect(codeIn('```\nx = 1\n```\n```py\ndef add(a):\n  pass\n```', 'add')).toBe('def add(a):\n  pass')
  expect(codeIn('def add(a): return 1', 'add')).toBe('def add(a): return 1')
})

test('a body without its signature is indented below the prompt', () => {
  const { row } = humaneval.reading!.read(
    [{ task_id: 'T/0', prompt: 'def one():\n    """One."""\n', entry_point: 'one', test: 'def check(f):\n    assert f() == 1' }],
    'test',
  )
  expect(humaneval.reading!.score(row, written('return 1'), 'T/0')).toMatchObject({
    program: { solution: 'def one():\n    """One."""\n\n    return 1\n', test: 'def check(f):\n    assert f() == 1\ncheck(one)\n' },
  })
  expect(humaneval.reading!.score({ ...row, test: null }, written('return 1'), 'T/0')).toMatchObject({ verdict: 'not_scored' })
})

test('rows of the other version of MBPP are refused', () => {
  const full = { task_id: 11, text: 'Do.', code: 'x', test_list: ['assert f()'], test_setup_code: '' }
  const sanitized = { task_id: 11, prompt: 'Do.', code: 'x', test_list: ['assert f()'], test_imports: ['import math'] }
  expect(mbpp.reading!.read([sanitized], 'sanitized').row).toMatchObject({ setup: 'import math' })
  expect(() => mbpp.reading!.read([sanitized], 'test')).toThrow('sanitized')
  expect(() => mbpp.reading!.read([full], 'sanitized')).toThrow('full')
})
