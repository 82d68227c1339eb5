import { codeIn } from './code.ts'
import { type Benchmarked, fieldsOf, type Program, user, WrongRow } from './types.ts'

interface Row {
  task: string
  setup: string
  tests: string[]
  solution: string | null
}

const withTests = ({ setup, tests }: Row, code: string): Program => ({
  solution: code,
  test: `${setup}\n${tests.join('\n')}\n`,
  given: '',
  entry: '',
})

export const mbpp: Benchmarked<Row> = {
  about: {
    name: 'mbpp',
    title: 'MBPP',
    measures: 'Short Python programs from one sentence',
    metric: 'pass@k',
    form: 'chat, no examples',
    harness: 'own scorer',
    source: 'google-research-datasets/mbpp',
    hub: 'google-research-datasets/mbpp',
    revision: '4bb6404fdc6cacfda99d4ac4205087b89d32030c',
    licence: 'CC-BY-4.0',
    bytes: 150_000,
    parts: [
      { name: 'test', items: 500, files: ['full/test-00000-of-00001.parquet'], or: [['mbpp.jsonl'], ['test-00000-of-00001.parquet']] },
      { name: 'sanitized', items: 257, files: ['sanitized/test-00000-of-00001.parquet'], or: [['sanitized-mbpp.jsonl']] },
    ],
    runsCode: true,
    maxTokens: 512,
    reason: null,
    way: null,
  },
  reading: {
    read([value], part) {
      const { id, text, texts, row } = fieldsOf(value)
      const isSanitized = !('text' in row) && 'prompt' in row
      if (isSanitized !== (part === 'sanitized'))
        throw new WrongRow(isSanitized ? 'is of the sanitized version' : 'is of the full version, not of the sanitized one')
      const setup = isSanitized ? texts('test_imports').join('\n') : 'test_setup_code' in row ? text('test_setup_code') : ''
      return {
        id: id('task_id'),
        row: {
          task: text(isSanitized ? 'prompt' : 'text'),
          setup: setup.replaceAll('\r\n', '\n'),
          tests: texts('test_list'),
          solution: typeof row['code'] === 'string' ? row['code'].replaceAll('\r\n', '\n') : null,
        },
      }
    },
    ask: ({ task, tests }) =>
      user(
        `You are an expert Python programmer, and here is your task: ${task} Your code should pass these tests:\n\n${tests.join('\n')}\n\nAnswer with the complete code in a markdown code block.`,
      ),
    score(row, { text }) {
      const extracted = codeIn(text, null)
      if (extracted.trim() === '') return { verdict: 'fail', extracted: null, reason: 'The answer is empty.' }
      if (row.tests.length === 0) return { verdict: 'not_scored', extracted, reason: 'This item has no test.' }
      return { program: withTests(row, extracted), extracted }
    },
    reference: (row) => (row.solution === null || row.tests.length === 0 ? null : withTests(row, row.solution)),
    text: ({ task }) => task,
    expected: ({ solution, setup, tests }) => [solution ?? '', setup, ...tests].filter((part) => part !== '').join('\n'),
  },
}
