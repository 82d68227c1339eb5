import type { Task } from '#contracts/entities/task.ts'
import { isoOf } from '#server/instant.ts'
import type { TaskRow } from './store.ts'

/** Converts a row to the entity of the API. */
export function toTask(
  { no, id, title, request, state, facts, createdAt, startedAt, endedAt }: TaskRow,
  queuePosition: number | null,
): Task {
  const { kept: _kept, canResume: _canResume, next: _next, workdir: _workdir, ...rest } = facts
  const { hasBegun: _hasBegun, isUnread: _isUnread, hasConversation: _has, added: _added, agentEnd: _agentEnd, ...publicFacts } = rest
  return {
    ...publicFacts,
    id,
    no,
    title,
    request,
    state,
    queuePosition,
    createdAt: isoOf(createdAt),
    startedAt: isoOf(startedAt),
    endedAt: isoOf(endedAt),
    durationMs: startedAt === null || endedAt === null ? null : endedAt - startedAt,
  }
}
