import type { SftRow } from '../curate/candidate.ts'
import type { ShapedRows } from './shaped-rows.ts'

const WITH_CALLS = 'left out: it has tool calls, for which Alpaca has no place'

/** Prompts and final answers as text. Drops rows with tool calls, because without the calls they teach claiming undone work. */
export function toAlpaca({ messages, tools }: SftRow): ShapedRows {
  const turns: { prompt: string; answer: string }[] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push({ prompt: message.content, answer: '' })
    const turn = turns.at(-1)
    if (message.role === 'tool') return { rows: [], losses: [WITH_CALLS] }
    if (message.role !== 'assistant') continue
    if (message.tool_calls?.length) return { rows: [], losses: [WITH_CALLS] }
    if (turn && message.content !== '') turn.answer = message.content
  }
  const answeredTurns = turns.filter((turn) => turn.answer !== '')
  const last = answeredTurns.at(-1)
  const losses = [
    ...(tools.length > 0 ? ['the tools are left out'] : []),
    ...(answeredTurns.length < turns.length ? ['prompts without a text answer are left out'] : []),
  ]
  if (!last) return { rows: [], losses: ['left out: no text answer'] }
  return {
    rows: [
      {
        instruction: last.prompt,
        input: '',
        output: last.answer,
        system: messages.filter(({ role }) => role === 'system').map(({ content }) => content).join('\n\n'), // prettier-ignore
        history: answeredTurns.slice(0, -1).map(({ prompt, answer }) => [prompt, answer]),
      },
    ],
    losses,
  }
}
