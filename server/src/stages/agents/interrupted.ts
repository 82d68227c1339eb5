import { isoOf } from '#server/instant.ts'
import type { AgentEvent, AgentInput } from './driver.ts'

const QUESTION_ID = 'interrupted'
const FINISH = 'finish'

/** The question to a user who interrupted an agent. */
export const askWhatNext = (now: number): AgentEvent => ({
  type: 'asks',
  question: {
    id: QUESTION_ID,
    kind: 'question',
    title: 'You interrupted the agent. Write what it should do instead, or finish.',
    detail: null,
    tool: null,
    choices: [{ value: FINISH, label: 'Finish' }],
    at: isoOf(now),
  },
})

export const WHAT_NEXT_ANSWERED: AgentEvent = { type: 'answered', questionId: QUESTION_ID }

export const isAboutNext = ({ questionId }: Extract<AgentInput, { type: 'answer' }>): boolean => questionId === QUESTION_ID

/** The next message; null: the agent should finish. */
export const nextOf = ({ text, value }: { text: string | null; value: string }): string | null => text ?? (value === FINISH ? null : value)
