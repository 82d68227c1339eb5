import { readOnlyOfThread } from '#server/db/thread.ts'
import { readWhole } from '#server/stages/traces/index.ts'

export interface BeginningInput {
  database: string
  archive: string
  traceId: string
}

export interface SessionBeginning {
  /** The complete first prompt; null if the session has no prompt with text. */
  prompt: string | null
  cwd: string | null
  branch: string | null
  startedAt: string | null
}

/** Null if there is no such session. */
export default function beginning({ database, archive, traceId }: BeginningInput): SessionBeginning | null {
  const whole = readWhole(readOnlyOfThread(database), archive, traceId, { main: true, kinds: ['prompt'] })
  if (!whole) return null
  const { cwd, gitBranch: branch, startedAt } = whole.trace
  for (const items of whole.items) {
    const first = items.find((item) => item.kind === 'prompt' && !item.abandoned)
    if (first?.kind === 'prompt') return { prompt: first.text, cwd, branch, startedAt }
  }
  return { prompt: null, cwd, branch, startedAt }
}
