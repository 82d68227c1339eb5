import type { SftRow } from '../curate/candidate.ts'
import type { Shaped } from './shaped.ts'

/** Alpaca: prompts and final answers as text. Tool calls, their results and the tools have no place in it. */
export function toAlpaca({ messages, tools }: SftRow): Shaped {
  const turns: { asked: string; answered: string }[] = []
  let tooled = tools.length > 0
  for (const message of messages) {
    if (message.role === 'user') turns.push({ asked: message.content, answered: '' })
    const turn = turns.at(-1)
    if (message.role === 'tool') tooled = true
    if (message.role !== 'assistant') continue
    if (message.tool_calls?.length) tooled = true
    if (turn && message.content !== '') turn.answered = message.content
  }
  const answered = turns.filter((turn) => turn.answered !== '')
  const last = answered.at(-1)
  const losses = [
    ...(tooled ? ['tool calls, their results and the tools are left out'] : []),
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
