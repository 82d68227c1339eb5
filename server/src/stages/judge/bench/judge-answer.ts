import type { ProgramEnd } from './sandbox.ts'
import { suspicionOf } from './sets/code.ts'
import type { Program, Reading } from './sets/types.ts'
import type { Answer, Verdict } from './store.ts'

export interface Item {
  id: string
  row: unknown
  /** Why its own solution fails here; empty: it passes; null: not tried. */
  broken: string | null
}

/** How a program ended; null: it has to run again, alone. */
type Run = (program: Program) => Promise<ProgramEnd | null>

const VERDICTS = { pass: 'pass', fail: 'fail', timeout: 'timeout', error: 'error', unfit: 'error' } as const
const TOGETHER = 'in one process with its test'

/** The verdict of an answer; null: a program did not end in time, and has to run again when nothing else does. */
export async function verdictOf(
  { score }: Pick<Reading<unknown>, 'score'>,
  { id, row, broken }: Item,
  { text, calls, stopped, error }: Answer,
  run: Run,
): Promise<Verdict | null> {
  const made = (verdict: Verdict['verdict'], reason: string | null, more: Partial<Verdict> = {}): Verdict => ({
    verdict,
    reason,
    extracted: null,
    suspicious: null,
    mark: null,
    ...more,
  })
  if (text === null) return made('error', error)
  if (error !== null) return made('not_scored', error)
  if (broken) return made('not_scored', `The set's own solution fails here: ${broken}`)
  const isCut = stopped === 'length'
  const spoken = withoutThoughts(text)
  if (spoken === null) {
    const empty = score(row, { text: '', calls: [] }, id)
    return made('truncated', 'It was still thinking when it ended.', { mark: 'program' in empty ? null : (empty.mark ?? null) })
  }
  const scored = score(row, { text: spoken, calls }, id)
  const cut = (verdict: Verdict['verdict'], reason: string | null, more: Partial<Verdict>) =>
    verdict === 'fail' && isCut
      ? made('truncated', `It was cut off at its length. ${reason ?? ''}`.trim(), more)
      : made(verdict, reason, more)
  if (!('program' in scored)) {
    const { verdict, reason, extracted, mark = null } = scored
    return cut(verdict, reason, { extracted, mark })
  }
  const ended = await run(scored.program)
  if (ended === null) return null
  const { extracted } = scored
  return cut(VERDICTS[ended.end], ended.reason, {
    extracted,
    suspicious: ended.end === 'pass' && ended.isTogether ? (suspicionOf(extracted) ?? TOGETHER) : null,
  })
}

const [OPEN, CLOSE] = ['<think>', '</think>']

/** Without the thoughts that it begins with; null if they never end. */
export function withoutThoughts(text: string): string | null {
  if (!text.trimStart().startsWith(OPEN)) return text
  const end = text.indexOf(CLOSE)
  return end < 0 ? null : text.slice(end + CLOSE.length)
}
