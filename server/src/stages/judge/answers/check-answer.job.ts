import { z } from 'zod'
import type { CaseCheck } from '#contracts/entities/answer.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import { withoutFence } from './fence.ts'

export type Checked = { verdict: 'passed' | 'failed' | 'not_scored'; why: string }

const LIMIT_MS = 1000

/** Decides a case whose check runs no program. */
export default function checkAnswer({ check, answer }: { check: Exclude<CaseCheck, { kind: 'command' }>; answer: string }): Checked {
  try {
    return withTimeLimit(LIMIT_MS, () => decide(check, answer))
  } catch (error) {
    if (error instanceof TimeLimitError) return { verdict: 'not_scored', why: `The check took longer than ${LIMIT_MS} ms.` }
    return { verdict: 'not_scored', why: `The check cannot be used: ${(error as Error).message}` }
  }
}

function decide(check: Exclude<CaseCheck, { kind: 'command' }>, answer: string): Checked {
  const ended = (passes: boolean, right: string, wrong: string): Checked =>
    passes ? { verdict: 'passed', why: right } : { verdict: 'failed', why: wrong }
  if (check.kind === 'exact')
    return ended(answer.trim() === check.value.trim(), 'The answer is the expected text.', 'The answer is another text.')
  if (check.kind === 'contains') return ended(answer.includes(check.value), 'The text occurs.', 'The text does not occur.')
  if (check.kind === 'regex')
    return ended(new RegExp(check.value, 'u').test(answer), 'The expression matches.', 'The expression does not match.')
  const schema = z.fromJSONSchema(check.value)
  let value: unknown
  try {
    value = JSON.parse(withoutFence(answer))
  } catch {
    return { verdict: 'failed', why: 'The answer is not JSON.' }
  }
  const { success, error } = schema.safeParse(value)
  const [issue] = error?.issues ?? []
  return ended(
    success,
    'The answer has the form of the schema.',
    `${issue?.path.join('.') || 'The answer'}: ${issue?.message ?? 'does not fit the schema'}`,
  )
}
