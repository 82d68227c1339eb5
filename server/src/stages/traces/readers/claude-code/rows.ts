import type { EntryRow, Location } from '../../derived.ts'
import type { HookFacts } from './hooks.ts'
import { entryId, hasEdited } from './ingest.ts'
import type { Entry, Rec, Placed } from './model.ts'
import { firstLine } from './record.ts'

/** The notice of a prompt that was sent again without an answer in between. */
const SENT_AGAIN = 'prompt sent again'

type Spills = ReadonlyMap<string, NonNullable<EntryRow['spill']>>

export function rowOf(traceId: string, placed: Placed, spills: Spills, hooks: HookFacts): EntryRow {
  const { entry, parent } = placed
  const { rec, call } = entry
  const outcome = call?.outcome ?? null
  const hook = call?.toolUseId ? hooks.results.get(call.toolUseId) : undefined
  return {
    id: idOf(traceId, placed),
    ord: placed.ord,
    kind: placed.kind,
    asks: placed.asks,
    abandoned: placed.abandoned,
    byMod: entry.byMod,
    seq: placed.seq,
    agent: placed.agent,
    parentStepId: parent ? entryId(traceId, parent) : null,
    at: rec.at,
    endedAt: endOf(entry, hook?.durationMs ?? null),
    label: labelOf(placed),
    tool: call?.tool ?? null,
    toolUseId: call?.toolUseId ?? null,
    success: outcome?.success ?? null,
    exitCode: outcome?.exitCode ?? null,
    isError: outcome?.isError ?? entry.kind === 'error',
    rejectedBy: outcome?.rejectedBy ?? null,
    answered: outcome !== null,
    file: call?.file ?? null,
    edits: call ? hasEdited(call) || hooks.changedBy(call).length > 0 : false,
    outputBytes: call?.outputBytes ?? 0,
    cwd: rec.cwd,
    messageId: entry.messageId,
    promptId: placed.promptId,
    model: entry.model,
    location: locationOf(rec, entry.block),
    result: call?.result ? locationOf(call.result.rec, call.result.block) : null,
    spill: (call?.spill ? spills.get(call.spill) : undefined) ?? null,
    sharedKey: call?.toolUseId && placed.ownsToolUseId ? call.toolUseId : `${rec.shared ?? rec.key}:${Math.max(0, entry.block)}`,
  }
}

function labelOf({ entry, kind }: Placed): string | null {
  if (kind === entry.kind) return entry.label
  return kind === 'prompt' ? firstLine(entry.text ?? '') : SENT_AGAIN
}

export const idOf = (traceId: string, { entry, ownsToolUseId }: Placed): string =>
  ownsToolUseId ? entryId(traceId, entry) : `${traceId}:${entry.rec.key}:${Math.max(0, entry.block)}`

function endOf(entry: Entry, durationMs: number | null): number | null {
  const call = entry.call
  if (!call?.result) return null
  const at = call.result.rec.at
  if (at !== null) return at
  return entry.rec.at !== null && durationMs !== null ? entry.rec.at + durationMs : null
}

const locationOf = (rec: Rec, block: number): Location => ({
  source: rec.source.source.name,
  generation: rec.source.source.generation,
  offset: rec.offset,
  length: rec.length,
  block: block < 0 ? block : block + (rec.firstBlock ?? 0),
})

/** The same position in the session: if the entry is unchanged too, so is the row. */
export const isSamePlace = (a: Placed, b: Placed): boolean =>
  a.ord === b.ord &&
  a.kind === b.kind &&
  a.asks === b.asks &&
  a.abandoned === b.abandoned &&
  a.seq === b.seq &&
  a.agent === b.agent &&
  a.parent === b.parent &&
  a.promptId === b.promptId &&
  a.ownsToolUseId === b.ownsToolUseId
