import type { ChatMessage } from '#contracts/entities/example.ts'
import { matchTasks } from '#server/stages/factory/pairs/match.ts'
import { sideText } from '#server/stages/factory/pairs/sides.ts'
import type { Task } from '#server/stages/factory/pairs/types.ts'
import preview from '#server/stages/factory/preview/preview.job.ts'
import { percentile, report } from './support/report.ts'

/**
 * Time of the preview of an example (at most 200 ms) with the tokenizer o200k, which is used if the model's own tokenizer is
 * not available; and time of the search for pairs among 10,000 tasks.
 *
 *     npm run bench -- preview
 */
const WANTED_MS = 200
const TURNS = 20
const WORDS =
  'const let function return await import export from value error test file path build check render state props token server client'.split(
    ' ',
  )

let seed = 42
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const text = (chars: number): string => {
  let made = ''
  while (made.length < chars) made += `${WORDS[Math.floor(random() * WORDS.length)]}${random() < 0.2 ? '();\n' : ' '}`
  return made.slice(0, chars)
}
const example = (outputChars: number): ChatMessage[] => [
  { role: 'system', content: text(300) },
  { role: 'user', content: text(400) },
  ...Array.from({ length: TURNS }, (_, at): ChatMessage[] => [
    {
      role: 'assistant',
      content: text(300),
      tool_calls: [{ id: `call_${at}`, type: 'function', function: { name: 'Bash', arguments: { command: text(120) } } }],
    },
    { role: 'tool', tool_call_id: `call_${at}`, name: 'Bash', content: text(outputChars) },
  ]).flat(),
]
const measure = (outputChars: number) => {
  preview({ tokenizer: null, messages: example(outputChars), tools: [], maxTokens: null })
  let tokens = 0
  const times = Array.from({ length: 25 }, () => {
    const messages = example(outputChars)
    const started = performance.now()
    tokens = preview({ tokenizer: null, messages, tools: [], maxTokens: null }).tokens ?? 0
    return performance.now() - started
  })
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), tokens }
}

const typical = measure(1500)
const longest = measure(8000)

/** Words with a realistic distribution: the k-th word is 1/k as frequent as the first. */
const rare = (words: number): string => Array.from({ length: words }, () => `w${Math.floor(20_000 ** random())}`).join(' ')

const TASKS = 10_000
const topics = Array.from({ length: 2500 }, () => rare(8 + Math.floor(random() * 40)))
const tasks = Array.from({ length: TASKS }, (_, at): Task => ({
  traceId: `t${at}`,
  exampleId: `e${at}`,
  agent: 'claude-code',
  repo: `repo${at % 40}`,
  tier: at % 3 === 0 ? 'failed' : 'gold',
  quality: random(),
  prompt: `${topics[Math.floor(random() * topics.length)]} ${rare(2)}`,
  steps: 10,
  ...sideText([{ role: 'assistant', content: text(500) }]),
}))
const started = performance.now()
const { pairs } = matchTasks(tasks)
const matchMs = performance.now() - started
const alikeStarted = performance.now()
matchTasks(tasks.map((task) => ({ ...task, prompt: text(200) })))
const alikeMs = performance.now() - alikeStarted

const row = (what: string, { p50, p95, tokens }: typeof typical) => ({
  what: `${what} (${tokens} tokens)`,
  figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
  limit: `≤ ${WANTED_MS} ms`,
  met: p95 <= WANTED_MS,
})
report(
  'preview',
  [
    row('20 turns, outputs of 1,500 characters', typical),
    row('20 turns, outputs of 8,000 characters', longest),
    { what: `pairs among ${TASKS} tasks`, figure: `${(matchMs / 1000).toFixed(1)} s, ${pairs.length} pairs`, limit: '–', met: null },
    { what: `the same, all prompts of 20 words`, figure: `${(alikeMs / 1000).toFixed(1)} s`, limit: '–', met: null },
  ],
  { typical, longest, matchMs, alikeMs, pairs: pairs.length },
)
