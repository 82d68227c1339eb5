import { type Benchmarked, fieldsOf, user, WrongRow } from './types.ts'

interface Row {
  question: string
  solution: string
  gold: string
}

/** A number with its sign, `$` and thousands separators. A minus after a digit or letter is no sign. */
const NUMBER = /(?<![\w.])-?\$?-?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?/g
const numbersIn = (text: string): string[] => text.match(NUMBER) ?? []
const valueOf = (number: string): number => Number(number.replaceAll(/[$,]/g, ''))

/** The number that an answer gives: after the last `####`, else after the last "answer is", else its last one. */
export function finalNumber(text: string): string | null {
  const marked = text.lastIndexOf('####')
  if (marked >= 0) return numbersIn(text.slice(marked + 4))[0] ?? null
  const phrase = text.toLowerCase().lastIndexOf('answer is')
  return (phrase >= 0 ? numbersIn(text.slice(phrase + 9))[0] : undefined) ?? numbersIn(text).at(-1) ?? null
}

export const gsm8k: Benchmarked<Row> = {
  about: {
    name: 'gsm8k',
    title: 'GSM8K',
    measures: 'School mathematics in words',
    metric: 'accuracy',
    form: 'chat, no examples',
    harness: 'own scorer; compares numbers, so more forms count than in lm-eval',
    source: 'openai/gsm8k',
    hub: 'openai/gsm8k',
    revision: 'cc7b047b6e5bb11b4f1af84efc572db110a51b3c',
    licence: 'MIT',
    bytes: 419_000,
    parts: [
      {
        name: 'test',
        items: 1319,
        files: ['main/test-00000-of-00001.parquet'],
        or: [['gsm8k.jsonl'], ['test.jsonl'], ['test-00000-of-00001.parquet']],
      },
    ],
    runsCode: false,
    maxTokens: 512,
    reason: null,
    way: null,
  },
  reading: {
    read([value]) {
      const { text, row } = fieldsOf(value)
      const [question, solution] = [text('question'), text('answer')]
      const marked = solution.lastIndexOf('####')
      const gold = marked < 0 ? undefined : numbersIn(solution.slice(marked))[0]
      if (gold === undefined) throw new WrongRow('has an "answer" without "#### NUMBER"')
      return { id: typeof row['id'] === 'string' ? row['id'] : '', row: { question, solution, gold } }
    },
    ask: ({ question }) => user(`${question}\n\nThink step by step. End with one line: The final answer is [answer]`),
    score({ gold }, { text }) {
      const extracted = finalNumber(text)
      if (extracted === null) return { verdict: 'fail', extracted, reason: 'The answer has no number.' }
      const isRight = valueOf(extracted) === valueOf(gold)
      return { verdict: isRight ? 'pass' : 'fail', extracted, reason: isRight ? null : `${extracted} is not ${gold}.` }
    },
    text: ({ question }) => question,
    expected: ({ solution }) => solution,
  },
}
