import type { SftRow } from '../curate/candidate.ts'
import type { Shaped } from './shaped.ts'

const WITH_CALLS = 'left out: it has tool calls, for which Alpaca has no place'

/** Alpaca: prompts and final answers as text. A row with tool calls is left out: without them it would teach to claim work that was not done. */
export function toAlpaca({ messages, tools }: SftRow): Shaped {
  const turns: { asked: string; answered: string }[] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push({ asked: message.content, answered: '' })
    const turn = turns.at(-1)
    if (message.role === 'tool') return { rows: [], losses: [WITH_CALLS] }
    if (message.role !== 'assistant') continue
    if (message.tool_calls?.length) return { rows: [], losses: [WITH_CALLS] }
    if (turn && message.content !== '') turn.answered = message.content
  }
  const answered = turns.filter((turn) => turn.answered !== '')
  const last = answered.at(-1)
  const losses = [
    ...(tools.length > 0 ? ['the tools are left out'] : []),
    ...(answered.length < turns.length ? ['prompts without a text answer are left out'] : []),
  ]
  if (!last) return { rows: [], losses: ['left out: no text answer'] }
  return {
    rows: [
      {
        instruction: last.asked,
        input: '',
        output: last.answered,
        system: messages.filter(({ role }) => role === 'system').map(({ content }) => content).join('\n\n'), // prettier-ignore
        history: answered.slice(0, -1).map(({ asked, answered: answer }) => [asked, answer]),
      },
    ],
    losses,
  }
}
