import { lookup } from '#contracts/lookup.ts'
import type { Dataset, DatasetFile, DatasetRecipe, DroppedRow, FunnelStage, SplitName } from '#contracts/entities/dataset.ts'
import { SECRET_TYPES, type PrivacyReport } from '#contracts/entities/privacy.ts'
import { canaries, canaryRows, openGate, type ClearContext, type Cleared, type Gate, type GateInput } from '#server/stages/privacy/index.ts'
import type { JobContext as Job } from '#server/jobs/jobs.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { messagesOf, type Candidate, type DataRow, type RowMetadata } from '../curate/candidate.ts'
import { createHeldOut, type HeldOutItem } from '../curate/held-out.ts'
import { versionFiles } from './folder.ts'
import { readHeldOut } from './held-out-files.ts'
import { createLineFile, type LineFile } from './lines.ts'
import { curate } from './pool.ts'

export interface AssembleInput {
  folder: string
  /** Paths of files with candidates, in the order of their pieces. */
  candidates: string[]
  recipe: DatasetRecipe
  families: [string, string][]
  /** The split of each session in earlier versions of this name. */
  earlierSides: [string, SplitName][]
  gate: Omit<GateInput, 'key' | 'purpose' | 'off'>
  /** Key of the pseudonyms, in hex. */
  key: string
  /** What earlier stages dropped; written first into `dropped.jsonl`. */
  earlierDrops: DroppedRow[]
  /** The rows of exams. */
  examined: HeldOutItem[]
}

export interface Assembled {
  stages: FunnelStage[]
  counts: { train: number; val: number; test: number }
  /** What the gate replaced; measure.job.ts looks for survivors in the written rows. */
  privacy: PrivacyReport
  files: DatasetFile[]
  sources: Omit<Dataset['sources'][number], 'contentHash'>[]
  largestSession: Dataset['largestSession']
  /** The split of each session, for later versions. */
  sessions: [string, SplitName][]
}

/** Consecutive rows in a file of the version; reported as soon as they are written. */
export interface Piece {
  file: string
  from: number
  rows: number
}
export type AssembleMessage = { piece: Piece } | Parameters<Job['progress']>[0]

/** A line of `rows.jsonl`: the origin of a row, and its position in the file of its split. */
export interface RowLine {
  index: number
  split: SplitName
  exampleId: string
  traceId: string | null
  stepIds: string[]
  offset: number
  length: number
  /** Hash of the row's text, for comparing two versions. */
  hash: string
}

type WrittenRow = DataRow & { metadata: RowMetadata }

const PROGRESS_EVERY = 50
const ROWS_PER_PIECE = 500

/** Curates candidates, passes every row through the gate, and writes the files of the version. */
export default function assemble(input: AssembleInput, { signal, progress }: JobContext): Assembled {
  const { recipe, folder } = input
  const key = Buffer.from(input.key, 'hex')
  const gateInput: GateInput = {
    ...input.gate,
    policy: recipe.replace ? { ...input.gate.policy, defaultStrategy: recipe.replace } : input.gate.policy,
    key,
    purpose: `data set ${recipe.name ?? recipe.kind}`,
    ...(recipe.privacyOff !== undefined && { off: recipe.privacyOff }),
  }
  const gate = openGate(gateInput)
  const reportProgress = (phase: string, done: number, total: number | null) =>
    progress({ phase, done, total, unit: 'rows' } satisfies AssembleMessage)
  const curated = curate(input.candidates, {
    recipe,
    heldOut: createHeldOut([...readHeldOut(recipe.against), ...input.examined]),
    families: input.families,
    earlierSides: new Map(input.earlierSides),
    signal,
    progress: reportProgress,
  })
  const writer = createVersionWriter(folder, (piece) => progress({ piece } satisfies AssembleMessage))
  const { keptRows, dropped: secretDrops } = recipe.dropSecretCalls
    ? withoutSecretCalls(curated.rows, openGate(gateInput), (done) => {
        signal.throwIfAborted()
        reportProgress('checking calls for secrets', done, curated.rows.length)
      })
    : { keptRows: curated.rows, dropped: [] }
  const canaryTexts = canaries(key, recipe.canaries)
  const canaryPositions = canaryRows(key, recipe.canaries, keptRows.filter(({ split }) => split === 'train').length)
  try {
    for (const [index, { split, read }] of keptRows.entries()) {
      if (index % PROGRESS_EVERY === 0) {
        signal.throwIfAborted()
        reportProgress('applying privacy policy', index, keptRows.length)
      }
      const candidate = read()
      const row = gate.clear(rowOf(candidate), contextOf(candidate))
      if (canaryPositions.includes(index)) addCanary(row, canaryTexts[canaryPositions.indexOf(index)]!) // train rows come first
      writer.write(row, split, candidate)
    }
    const detailGate = openGate(gateInput) // separate, because the report of the other counts rows only
    writer.drop(
      [...input.earlierDrops, ...curated.dropped, ...secretDrops].map((row) => ({ ...row, detail: detailGate.clear(row.detail) })),
    )
    const total = keptRows.length
    const privacy: FunnelStage = {
      stage: 'privacy',
      unit: 'rows',
      in: curated.rows.length,
      out: total,
      dropped: secretDrops.length === 0 ? [] : [{ reason: SECRET_IN_CALL, count: secretDrops.length }],
    }
    const { files, counts, sources } = writer.close()
    return {
      stages: [...curated.stages, privacy, { stage: 'split', unit: 'rows', in: total, out: total, dropped: [] }],
      counts,
      privacy: gate.report(),
      files,
      sources,
      largestSession: curated.largestSession,
      sessions: [...curated.sessions].toSorted((a, b) => (a[0] < b[0] ? -1 : 1)),
    }
  } catch (error) {
    writer.abandon()
    throw error
  } finally {
    curated.close()
  }
}

const SECRET_IN_CALL = 'secret in a tool call'

type Rows = ReturnType<typeof curate>['rows']

/** Drops rows with a secret in a call of the assistant: a model would learn the replacement label as an argument. */
function withoutSecretCalls(rows: Rows, gate: Gate, onProgress: (done: number) => void): { keptRows: Rows; dropped: DroppedRow[] } {
  const dropped: DroppedRow[] = []
  const keptRows = rows.filter(({ read }, index) => {
    if (index % PROGRESS_EVERY === 0) onProgress(index)
    const candidate = read()
    let holdsSecret = false
    gate.clear(rowOf(candidate), {
      ...contextOf(candidate),
      onReplaced: (type, _instead, path) => (holdsSecret ||= SECRET_TYPES.includes(type) && path.includes('tool_calls')),
    })
    if (!holdsSecret) return true
    dropped.push({
      stage: 'privacy',
      reason: SECRET_IN_CALL,
      traceId: candidate.traceIds[0] ?? null,
      exampleId: candidate.id,
      detail: null,
    })
    return false
  })
  return { keptRows, dropped }
}

const contextOf = (candidate: Candidate): ClearContext => ({
  traceId: candidate.traceIds[0] ?? null,
  project: candidate.repo,
  stepOf: (path) => stepAt(candidate, path),
})

const rowOf = ({
  id,
  row,
  traceIds,
  segmentId,
  repo,
  tier,
  quality,
  scoreVersion,
  variantOf,
  generatedBy,
  pair,
}: Candidate): WrittenRow => ({
  ...row,
  metadata: {
    exampleId: id,
    traceId: traceIds[0] ?? null,
    segment: segmentId,
    repo,
    tier,
    quality,
    scoreVersion,
    ...(pair !== undefined && { pair }),
    ...(variantOf !== undefined && { generated: true, parentId: variantOf, model: generatedBy ?? null }),
  },
})

/** Appends a canary to the last answer of the row. */
function addCanary(row: Cleared<WrittenRow>, canary: string): void {
  const last = messagesOf(row).findLast(({ role }) => role === 'assistant') ?? messagesOf(row).at(-1)
  if (last) last.content = `${last.content}\n\n${canary}`.trim()
}

/** The step that a path in a row comes from: `stepIds` has the order of `messagesOf`. */
function stepAt({ row, stepIds }: Candidate, [list, index]: readonly (string | number)[]): string | null {
  if (typeof index !== 'number' || typeof list !== 'string') return null
  const lengthOf = (name: string) => (Object.hasOwn(row, name) ? (row[name as keyof DataRow] as unknown[]).length : 0)
  const offsets: Record<string, number> = lookup({
    messages: 0,
    prompt: 0,
    completion: lengthOf('prompt'),
    chosen: lengthOf('prompt'),
    rejected: lengthOf('prompt') + lengthOf('chosen'),
  })
  const start = offsets[list]
  return start === undefined ? null : (stepIds[start + index] ?? null)
}

/** Writes the files of a version; accepts only rows that passed the gate. */
function createVersionWriter(folder: string, onPiece: (piece: Piece) => void) {
  const paths = versionFiles(folder)
  const rows = createLineFile(paths.rows)
  const dropped = createLineFile(paths.dropped)
  const splits = new Map<SplitName, LineFile>()
  let piece: Piece | null = null
  const emitPiece = () => {
    if (piece) onPiece(piece)
    piece = null
  }
  const sources = new Map<string, { traceId: string; split: SplitName; examples: number }>()
  const files = () => [rows, dropped, ...splits.values()]
  let index = 0
  return {
    write(row: Cleared<WrittenRow>, split: SplitName, { id, traceIds, stepIds }: Candidate): void {
      let file = splits.get(split)
      if (!file) {
        for (const earlier of splits.values()) earlier.flush()
        emitPiece() // rows come split by split, so the previous split is complete
        splits.set(split, (file = createLineFile(paths.split(split))))
      }
      const { offset, length, hash } = file.write(row)
      piece ??= { file: paths.split(split), from: offset, rows: 0 }
      piece.rows += 1
      if (piece.rows === ROWS_PER_PIECE) {
        file.flush()
        emitPiece()
      }
      const traceId = traceIds[0] ?? null
      const steps = [...new Set(stepIds.filter((step) => step !== null))]
      rows.write({ index, split, exampleId: id, traceId, stepIds: steps, offset, length, hash } satisfies RowLine)
      index += 1
      if (traceId === null) return
      const source = sources.get(traceId) ?? { traceId, split, examples: 0 }
      source.examples += 1
      sources.set(traceId, source)
    },
    drop(list: readonly (DroppedRow & { detail: Cleared<string | null> })[]): void {
      for (const one of list) dropped.write(one)
    },
    close() {
      rows.close()
      dropped.close()
      const files = [...splits].map(([split, file]): DatasetFile => ({ split, path: `${split}.jsonl`, ...file.close() }))
      emitPiece()
      const countOf = (name: SplitName) => files.find(({ split }) => split === name)?.rows ?? 0
      return {
        files,
        counts: { train: countOf('train'), val: countOf('val'), test: countOf('test') },
        sources: [...sources.values()].toSorted((a, b) => (a.traceId < b.traceId ? -1 : 1)),
      }
    },
    abandon: () => files().forEach((file) => file.abandon()),
  }
}
