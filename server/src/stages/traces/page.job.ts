import { parseShallow } from '#server/shallow-json.ts'
import { isoOf } from '#server/instant.ts'
import type { Step, TranscriptItem } from '#contracts/entities/step.ts'
import { readManifest, readRange } from '../capture/archive/reader.ts'
import type { ArchivedSource } from '../capture/types.ts'
import type { EntryRow } from './derived.ts'
import { callBody, resultBody, structuredOf, textBody, type ResultBody } from './readers/claude-code/bodies.ts'
import { commandOf, patchOf, shellChanges } from './readers/claude-code/calls.ts'
import { isObject, type RawRecord } from './readers/claude-code/record.ts'
import { nameOf, projectOf } from './readers/claude-code/repo.ts'
import { clip, RecordsInArchive } from './readers/ranges.ts'

/** Longer texts and outputs are truncated in lists; the full text has its own page. */
const MAX_BODY_BYTES = 64 * 1024

export interface PageEntry {
  row: EntryRow
  /** Text and thinking of the same response before this call, if they are not items of the page. */
  precedingText?: EntryRow[]
}

export interface PageInput {
  traceDir: string
  entries: PageEntry[]
  /** Return texts and outputs in full. */
  untruncated: boolean
}

/** Reads the bodies of a page of entries from the archive, in the given order. */
export default function page(input: PageInput): TranscriptItem[] {
  const sources = readManifest(input.traceDir)
  const archive = new RecordsInArchive(sources)
  const rows = input.entries.flatMap(({ row, precedingText = [] }) => [row, ...precedingText])
  archive.load(rows.flatMap(({ location, result }) => (result ? [location, result] : [location])))
  const context = { archive, sources, limit: input.untruncated ? Infinity : MAX_BODY_BYTES, hooks: hookResults(sources, rows) }
  return input.entries.map(({ row, precedingText }) =>
    row.kind === 'call' ? stepItem(context, row, precedingText ?? []) : textItem(context, row),
  )
}

interface Context {
  archive: RecordsInArchive
  sources: ArchivedSource[]
  limit: number
  hooks: Map<string, unknown>
}

function textItem({ archive, limit }: Context, row: EntryRow): TranscriptItem {
  const { text, isCut } = clip(bodyOf(archive, row), limit)
  return {
    kind: row.kind as Exclude<EntryRow['kind'], 'call'>,
    id: row.id,
    position: row.ord,
    at: isoOf(row.at),
    agent: row.agent,
    label: row.label,
    text,
    truncated: isCut,
    model: row.model,
    messageId: row.messageId,
    asks: row.asks,
    abandoned: row.abandoned,
    byMod: row.byMod,
  }
}

const bodyOf = (archive: RecordsInArchive, row: EntryRow): string => {
  const record = archive.get(row.location)
  return record ? textBody(record, row.location.block, row.kind) : ''
}

function stepItem(context: Context, row: EntryRow, precedingText: EntryRow[]): TranscriptItem {
  const { archive, limit } = context
  const record = archive.get(row.location)
  const input = record ? callBody(record, row.location.block) : {}
  const resultRecord = row.result ? archive.get(row.result) : undefined
  const structured = (resultRecord && structuredOf(resultRecord)) ?? (row.toolUseId ? context.hooks.get(row.toolUseId) : undefined)
  const changes = shellChanges(row.tool ?? '', structured)
  const output = outputOf(context, row, resultRecord)
  const textBefore = (kind: EntryRow['kind']) => {
    const texts = precedingText.filter((one) => one.kind === kind).map((one) => bodyOf(archive, one))
    return texts.length > 0 ? clip(texts.join('\n\n'), limit).text : null
  }
  const step: Step = {
    id: row.id,
    seq: row.seq ?? 0,
    at: isoOf(row.at),
    endedAt: isoOf(row.endedAt),
    agent: row.agent,
    parentStepId: row.parentStepId,
    tool: row.tool ?? 'unknown',
    command: isObject(input) ? commandOf(row.tool ?? '', input) : null,
    input,
    output: output?.text ?? null,
    outputBytes: row.outputBytes,
    outputTruncated: output?.isCut ?? false,
    success: row.success,
    exitCode: row.exitCode,
    isError: row.isError,
    rejected: row.rejectedBy !== null,
    rejectedBy: row.rejectedBy,
    answered: row.answered,
    cwd: row.cwd,
    repo: row.cwd === null ? null : nameOf(projectOf(row.cwd)),
    durationMs: row.at !== null && row.endedAt !== null ? row.endedAt - row.at : null,
    messageId: row.messageId,
    promptId: row.promptId,
    file: row.file,
    patch: isObject(input) ? patchOf(row.tool ?? '', input, structured) : null,
    ...(changes.length > 0 && { changes }),
    thinking: textBefore('thinking'),
    text: textBefore('text'),
    abandoned: row.abandoned,
    byMod: row.byMod,
  }
  return { kind: 'step', id: row.id, position: row.ord, step }
}

/** A large output has its own file; the transcript only has its beginning. */
function outputOf({ sources, limit }: Context, row: EntryRow, answer: RawRecord | undefined): { text: string; isCut: boolean } | null {
  if (!answer || !row.result) return null
  const { spill } = row
  const spillFile = spill && sources.find((one) => one.name === spill.source && one.generation === spill.generation)
  if (spillFile) {
    // A character has at most 4 bytes: read more, so that the cut is between characters.
    const bytes = readRange(spillFile, 0, limit === Infinity ? spillFile.bytes : limit + 4)
    const { text, isCut } = clip(bytes.toString('utf8'), limit)
    return { text, isCut: isCut || spillFile.bytes > limit }
  }
  const body: ResultBody = resultBody(answer, row.result.block)
  const { text, isCut } = clip(body.text, limit)
  return { text, isCut: isCut || row.outputBytes > body.bytes }
}

/** Structured results of sub-agents' edits: since 2.1.50 only hook payloads have them. Read only if the page has such an edit. */
function hookResults(sources: ArchivedSource[], rows: EntryRow[]): Map<string, unknown> {
  const toolUseIds = new Set(rows.flatMap((row) => (row.edits && row.agent !== 'main' && row.toolUseId ? [row.toolUseId] : [])))
  const results = new Map<string, unknown>()
  if (toolUseIds.size === 0) return results
  for (const hooks of sources.filter(({ kind }) => kind === 'hooks')) {
    const bytes = readRange(hooks, 0, hooks.bytes)
    for (const id of toolUseIds) {
      for (let at = bytes.indexOf(id); at >= 0 && !results.has(id); at = bytes.indexOf(id, at + id.length)) {
        const payload = lineAround(bytes, at)
        if ((payload?.event ?? payload?.hook_event_name) === 'PostToolUse' && payload?.tool_use_id === id)
          results.set(id, payload.tool_response)
      }
    }
  }
  return results
}

function lineAround(bytes: Buffer, at: number): Record<string, unknown> | null {
  const start = bytes.lastIndexOf(10, at) + 1
  const end = bytes.indexOf(10, at)
  try {
    const { value } = parseShallow(bytes.toString('utf8', start, end < 0 ? bytes.length : end))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
