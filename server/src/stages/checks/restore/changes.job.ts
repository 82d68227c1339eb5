import { readOnlyOfThread } from '#server/db/thread.ts'
import { readWhole } from '#server/stages/traces/index.ts'
import type { Step } from '#contracts/entities/step.ts'
import { isInstalled } from '../change/check-files.ts'
import type { Hunk } from './apply-hunks.ts'

export interface ChangesInput {
  database: string
  archive: string
  traceId: string
}

/** A change of a file, as requested by a tool call, or as the client recorded it. */
export type FileChange = { file: string } & (
  | { kind: 'write'; content: string }
  | { kind: 'replace'; parts: Replacement[] }
  | { kind: 'hunks'; hunks: readonly Hunk[] }
  | { kind: 'remove' }
  | { kind: 'unknown' }
)
export interface Replacement {
  from: string
  to: string
  all: boolean
}

export interface SessionChanges {
  /** What the user asked for in the main conversation, in order. */
  prompts: string[]
  /** How many calls the session has. */
  calls: number
  cwd: string | null
  branch: string | null
  startedAt: string | null
  /** The last commit of the session, abbreviated as git printed it; null if it made none. */
  commit: string | null
  /** Changes after that commit, in order. */
  changes: FileChange[]
  /** Whether shell commands after that commit may have changed files. */
  hasCommands: boolean
}

/** Reads how a session changed its project. Null if there is no such session. */
export default function changes({ database, archive, traceId }: ChangesInput): SessionChanges | null {
  const whole = readWhole(readOnlyOfThread(database), archive, traceId, { kinds: ['call', 'prompt'] })
  if (!whole) return null
  const { cwd, gitBranch: branch, startedAt } = whole.trace
  const items = [...whole.items].flat()
  const steps = items.flatMap((item) => (item.kind === 'step' ? [item.step] : []))
  const prompts = items.flatMap((item) => (item.kind === 'prompt' && item.agent === 'main' && !item.abandoned ? [item.text] : []))
  const inOrder = steps.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '') || a.seq - b.seq)
  const last = inOrder.findLastIndex((step) => commitOf(step) !== null)
  const laterSteps = inOrder.slice(last + 1)
  return {
    prompts,
    calls: steps.length,
    cwd,
    branch,
    startedAt,
    commit: last === -1 ? null : commitOf(inOrder[last]!),
    changes: laterSteps.flatMap(changesOf),
    hasCommands: laterSteps.some(({ command, rejected }) => command !== null && !rejected),
  }
}

const COMMIT = /\bgit\b[^|;&\n]*\bcommit\b/
const COMMITTED = /^\[[^\]\n]*?\b([0-9a-f]{7,40})\]/m

function commitOf({ command, output, success }: Step): string | null {
  if (command === null || success === false || !COMMIT.test(command)) return null
  return COMMITTED.exec(output ?? '')?.[1] ?? null
}

/** What a call changed; of a shell command only what the client recorded, which it does not always do. */
function changesOf(step: Step): FileChange[] {
  const change = changeOf(step)
  if (change) return [change]
  if (step.rejected || !step.answered || step.success === false) return []
  return (step.changes ?? []).flatMap(({ path: file, patch, deleted }): FileChange[] => {
    if (isInstalled(file)) return []
    if (deleted) return [{ file, kind: 'remove' }]
    return [patch === null ? { file, kind: 'unknown' } : { file, kind: 'hunks', hunks: patch }]
  })
}

function changeOf({ tool, input, success, rejected, answered, file }: Step): FileChange | null {
  if (rejected || !answered || success === false || file === null || typeof input !== 'object' || input === null) return null
  const { content, old_string: from, new_string: to, replace_all: all, edits } = input as Record<string, unknown>
  if (tool === 'Write' && typeof content === 'string') return { file, kind: 'write', content }
  if (tool === 'Edit' && typeof from === 'string' && typeof to === 'string')
    return { file, kind: 'replace', parts: [{ from, to, all: all === true }] }
  if (tool === 'MultiEdit' && Array.isArray(edits)) {
    const parts = edits.map((one: Record<string, unknown>) => ({
      from: one['old_string'],
      to: one['new_string'],
      all: one['replace_all'] === true,
    }))
    const isReplacement = (part: (typeof parts)[number]): part is Replacement =>
      typeof part.from === 'string' && typeof part.to === 'string'
    return parts.every(isReplacement) ? { file, kind: 'replace', parts } : { file, kind: 'unknown' }
  }
  return ['NotebookEdit', 'MultiEdit', 'Write', 'Edit'].includes(tool) ? { file, kind: 'unknown' } : null
}
