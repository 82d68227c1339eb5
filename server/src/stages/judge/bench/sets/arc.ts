import { askLetter, LETTERS, scoreLetter } from './letters.ts'
import { type Benchmarked, fieldsOf, WrongRow } from './types.ts'

interface Row {
  question: string
  choices: string[]
  right: number
}

export const arc: Benchmarked<Row> = {
  about: {
    name: 'arc',
    title: 'ARC',
    measures: 'Science questions of schools with three to five choices',
    metric: 'accuracy, generated letter',
    form: 'chat, letter',
    harness: 'own scorer; not comparable with acc_norm, which needs the likelihood of each choice',
    source: 'allenai/ai2_arc',
    hub: 'allenai/ai2_arc',
    revision: '210d026faf9955653af8916fad021475a3f00453',
    licence: 'CC-BY-SA-4.0',
    bytes: 551_000,
    parts: [
      {
        name: 'challenge',
        items: 1172,
        files: ['ARC-Challenge/test-00000-of-00001.parquet'],
        or: [['ARC-Challenge-Test.jsonl'], ['ARC-Challenge/ARC-Challenge-Test.jsonl']],
      },
      {
        name: 'easy',
        items: 2376,
        files: ['ARC-Easy/test-00000-of-00001.parquet'],
        or: [['ARC-Easy-Test.jsonl'], ['ARC-Easy/ARC-Easy-Test.jsonl']],
      },
    ],
    runsCode: false,
    maxTokens: 64,
    reason: null,
    way: null,
  },
  reading: {
    read([value]) {
      const { id, text, object } = fieldsOf(value)
      const choices = object('choices')
      const [texts, labels] = [choices.texts('text'), choices.texts('label')]
      const right = labels.indexOf(text('answerKey'))
      if (right < 0 || texts.length !== labels.length || texts.length > LETTERS.length)
        throw new WrongRow('has an "answerKey" that is none of its labels')
      return { id: id('id'), row: { question: text('question'), choices: texts, right } }
    },
    ask: ({ question, choices }) => askLetter(question, choices),
    score: ({ choices, right }, { text }) => scoreLetter(text, right, choices.length),
    text: ({ question, choices }) => [question, ...choices].join('\n'),
    expected: ({ choices, right }) => `${LETTERS[right]}. ${choices[right]}`,
  },
}
