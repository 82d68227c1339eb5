import { lookup, own } from '#contracts/lookup.ts'
import type { Segment, SegmentCut } from '#contracts/entities/example.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { Database } from '#server/db/open.ts'
import { readOutline, readWhole, type EntryRow } from '#server/stages/traces/index.ts'
import { cutSegments, type Cut } from './cut.ts'
import { gitRole } from './git.ts'
import { lookUpScope } from './scope.ts'
import type { CutItem, CutPrompt, GitRole } from './types.ts'

export interface ReadCuts {
  trace: Trace
  rev: number
  cuts: Cut[]
}

/** Cuts a stored session. `userCuts` overrides the stored ones. Null if there is no such trace. For workers. */
export function readCuts(
  db: Database,
  archive: string,
  traceId: string,
  { gapMinutes, userCuts }: { gapMinutes: number; userCuts?: readonly SegmentCut[] | undefined },
): ReadCuts | null {
  const outline = readOutline(db, traceId)
  if (!outline) return null
  const roles = storedRoles(db, traceId) ?? rolesOf(db, archive, traceId)
  const scopeOf = createScopes(db)
  const items: CutItem[] = []
  let opening: CutPrompt | null = null
  let hasPrompt = false
  for (const entry of outline.entries) {
    if (entry.abandoned) continue
    if (entry.kind === 'prompt' || entry.asks === 'begins') {
      if (opening === null) items.push((opening = { kind: 'prompt', id: entry.id, from: entry.id }))
      if (entry.kind === 'prompt' || !hasPrompt) opening.id = entry.id
      hasPrompt ||= entry.kind === 'prompt'
    } else if (entry.kind === 'call' || entry.kind === 'text') [opening, hasPrompt] = [null, false]
    if (entry.kind === 'call') items.push(toStep(entry, own(roles, entry.id) ?? null, scopeOf(entry.cwd)))
  }
  const cuts = cutSegments(items, { gapMinutes }, userCuts ?? storedCuts(db, traceId))
  return { trace: outline.trace, rev: outline.rev, cuts }
}

/** `prompts`: texts by id. */
export function toSegments(traceId: string, cuts: readonly Cut[], prompts: ReadonlyMap<string, string>): Segment[] {
  return cuts.map(({ steps, boundary, promptId, ownPrompt }, index) => {
    const [first, last] = [steps[0]!, steps.at(-1)!]
    const times = steps.flatMap(({ at, endedAt }) => [at, endedAt].filter((time) => time !== null))
    return {
      id: first.id,
      traceId,
      index,
      firstStepId: first.id,
      lastStepId: last.id,
      firstSeq: first.seq,
      lastSeq: last.seq,
      boundary,
      prompt: promptId === null ? null : (prompts.get(promptId) ?? null),
      ownPrompt,
      steps: steps.length,
      successShare: successShare(steps),
      startedAt: times.length > 0 ? new Date(times.reduce((a, b) => Math.min(a, b))).toISOString() : null,
      endedAt: times.length > 0 ? new Date(times.reduce((a, b) => Math.max(a, b))).toISOString() : null,
    }
  })
}

/** The share of successful steps among those with a known outcome; null if there are none. */
function successShare(steps: readonly { success: boolean | null }[]): number | null {
  const finished = steps.filter(({ success }) => success !== null)
  return finished.length === 0 ? null : finished.filter(({ success }) => success).length / finished.length
}

const toStep = (entry: EntryRow, git: GitRole | null, scope: string | null): CutItem => ({
  kind: 'step',
  id: entry.id,
  seq: entry.seq ?? 0,
  at: entry.at,
  endedAt: entry.endedAt,
  messageId: entry.messageId,
  cwd: entry.cwd,
  scope,
  file: entry.file,
  success: entry.success,
  git,
})

/** The roles that the analyser stored; null for older rows. */
function storedRoles(db: Database, traceId: string): Record<string, GitRole> | null {
  const row = db.prepare<[string], { git: string }>('SELECT git FROM segment_facts WHERE trace_id = ?').get(traceId)
  return row ? (JSON.parse(row.git) as Record<string, GitRole>) : null // written by `saveFacts`
}

function rolesOf(db: Database, archive: string, traceId: string): Record<string, GitRole> {
  const roles: Record<string, GitRole> = lookup()
  for (const items of readWhole(db, archive, traceId, { main: true, kinds: ['call'] })?.items ?? []) {
    for (const item of items) {
      if (item.kind !== 'step') continue
      const role = gitRole(item.step.command, item.step.success, item.step.output)
      if (role) roles[item.step.id] = role
    }
  }
  return roles
}

/** Stored scopes; looks up other directories. */
function createScopes(db: Database): (cwd: string | null) => string | null {
  const stored = db.prepare<[string], { scope: string }>('SELECT scope FROM directory_scopes WHERE cwd = ?')
  const cache = new Map<string, string | null>()
  return (cwd) => {
    if (cwd === null) return null
    let scope = cache.get(cwd)
    if (scope === undefined) cache.set(cwd, (scope = stored.get(cwd)?.scope ?? lookUpScope(cwd)))
    return scope
  }
}

/** The user's current cuts. */
function storedCuts(db: Database, traceId: string): SegmentCut[] {
  const row = db
    .prepare<[string], { cuts: string }>('SELECT cuts FROM segment_cuts WHERE trace_id = ? AND undone_at IS NULL ORDER BY no DESC LIMIT 1')
    .get(traceId)
  return row ? (JSON.parse(row.cuts) as SegmentCut[]) : [] // written through the contract
}
