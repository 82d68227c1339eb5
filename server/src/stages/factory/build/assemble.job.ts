import { lookup } from '#contracts/lookup.ts'
import type { Dataset, DatasetFile, DatasetRecipe, DroppedRow, FunnelStage, SplitName } from '#contracts/entities/dataset.ts'
import { SECRET_TYPES, type PrivacyReport } from '#contracts/entities/privacy.ts'
import { canaries, canaryRows, openGate, type ClearContext, type Cleared, type Gate, type GateInput } from '#server/stages/privacy/index.ts'
import type { JobContext as Job } from '#server/jobs/jobs.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { messagesOf, type Candidate, type DataRow, type RowMetadata } from '../curate/candidate.ts'
import { createHeldOut } from '../curate/held-out.ts'
import { inVersion } from './folder.ts'
import { readHeldOut } from './held-out-files.ts'
import { createLineFile, type LineFile } from './lines.ts'
import { curate } from './pool.ts'

export interface AssembleInput {
  folder: string
  /** Files of candidates, in the order of their pieces. */
  candidates: string[]
  recipe: DatasetRecipe
  families: [string, string][]
  /** Sides of sessions in earlier versions of this name. */
  kept: [string, SplitName][]
  gate: Omit<GateInput, 'key' | 'purpose' | 'off'>
  /** Of the pseudonyms, hex. */
  key: string
  /** What was left out before: goes first into `dropped.jsonl`. */
  early: DroppedRow[]
}

export interface Assembled {
  stages: FunnelStage[]
  counts: { train: number; val: number; test: number }
  /** What the gate did; what survived is measured on the written rows (measure.job.ts). */
  privacy: PrivacyReport
  files: DatasetFile[]
  sources: Omit<Dataset['sources'][number], 'contentHash'>[]
  /** The split of each session, for later versions. */
  sessions: [string, SplitName][]
}

/** Rows that are in a file of the version, from a byte on; sent as soon as they are written. */
export interface Piece {
  file: string
  from: number
  rows: number
}
export type AssembleNews = { written: Piece } | Parameters<Job['progress']>[0]

/** A line of `rows.jsonl`: the way back, and the position of the row. */
export interface RowLine {
  index: number
  split: SplitName
  exampleId: string
  traceId: string | null
  stepIds: string[]
  offset: number
  length: number
  /** Of the row's text: two versions compare rows by it. */
  hash: string
}

type WrittenRow = DataRow & { metadata: RowMetadata }

const EVERY = 50
const ROWS_A_PIECE = 500

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
    progress({ phase, done, total, unit: 'rows' } satisfies AssembleNews)
  const curated = curate(input.candidates, {
    recipe,
    heldOut: createHeldOut(readHeldOut(recipe.against)),
    families: input.families,
    kept: new Map(input.kept),
    signal,
    progress: reportProgress,
  })
  const writer = createVersionWriter(folder, (written) => progress({ written } satisfies AssembleNews))
  const { kept, dropped: withSecrets } = recipe.dropSecretCalls
    ? withoutSecretCalls(curated.rows, openGate(gateInput), (done) => {
        signal.throwIfAborted()
        reportProgress('checking calls for secrets', done, curated.rows.length)
      })
    : { kept: curated.rows, dropped: [] }
  const planted = canaries(key, recipe.canaries)
  const plantedIn = canaryRows(key, recipe.canaries, kept.filter(({ split }) => split === 'train').length)
  try {
    for (const [index, { split, read }] of kept.entries()) {
      if (index % EVERY === 0) {
        signal.throwIfAborted()
        reportProgress('applying privacy policy', index, kept.length)
      }
      const candidate = read()
      const row = gate.clear(rowOf(candidate), contextOf(candidate))
      if (plantedIn.includes(index)) plant(row, planted[plantedIn.indexOf(index)]!) // train rows come first
      writer.write(row, split, candidate)
    }
    const ofDetails = openGate(gateInput) // a gate of its own: the report counts rows
    writer.drop([...input.early, ...curated.dropped, ...withSecrets].map((row) => ({ ...row, detail: ofDetails.clear(row.detail) })))
    const total = kept.length
    const privacy: FunnelStage = {
      stage: 'privacy',
      unit: 'rows',
      in: curated.rows.length,
      out: total,
      dropped: withSecrets.length === 0 ? [] : [{ reason: SECRET_IN_CALL, count: withSecrets.length }],
    }
    const { files, counts, sources } = writer.close()
    return {
      stages: [...curated.stages, privacy, { stage: 'split', unit: 'rows', in: total, out: total, dropped: [] }],
      counts,
      privacy: gate.report(),
      files,
      sources,
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

/** Rows in which no call of the assistant holds a secret: a label in its place would be learned as an argument. */
function withoutSecretCalls(rows: Rows, gate: Gate, onProgress: (done: number) => void): { kept: Rows; dropped: DroppedRow[] } {
  const dropped: DroppedRow[] = []
  const kept = rows.filter(({ read }, index) => {
    if (index % EVERY === 0) onProgress(index)
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
  return { kept, dropped }
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

/** Puts a canary at the end of the last thing that the row teaches. */
function plant(row: Cleared<WrittenRow>, canary: string): void {
  const last = messagesOf(row).findLast(({ role }) => role === 'assistant') ?? messagesOf(row).at(-1)
  if (last) last.content = `${last.content}\n\n${canary}`.trim()
}

/** The step that a place in a row came from: `stepIds` run along its messages, as `messagesOf` lists them. */
function stepAt({ row, stepIds }: Candidate, [list, index]: readonly (string | number)[]): string | null {
  if (typeof index !== 'number' || typeof list !== 'string') return null
  const lengthOf = (name: string) => (Object.hasOwn(row, name) ? (row[name as keyof DataRow] as unknown[]).length : 0)
  const before: Record<string, number> = lookup({
    messages: 0,
    prompt: 0,
    completion: lengthOf('prompt'),
    chosen: lengthOf('prompt'),
    rejected: lengthOf('prompt') + lengthOf('chosen'),
  })
  const start = before[list]
  return start === undefined ? null : (stepIds[start + index] ?? null)
}

/** The files of a version; a row gets in only through the gate. */
function createVersionWriter(folder: string, onPiece: (written: Piece) => void) {
  const paths = inVersion(folder)
  const rows = createLineFile(paths.rows)
  const dropped = createLineFile(paths.dropped)
  const splits = new Map<SplitName, LineFile>()
  let piece: Piece | null = null
  const emitPiece = () => {
    if (piece) onPiece(piece)
    piece = null
  }
  const sources = new Map<string, { traceId: string; split: SplitName; examples: number }>()
  const all = () => [rows, dropped, ...splits.values()]
  let index = 0
  return {
    write(row: Cleared<WrittenRow>, split: SplitName, { id, traceIds, stepIds }: Candidate): void {
      let file = splits.get(split)
      if (!file) {
        for (const before of splits.values()) before.flush()
        emitPiece() // rows come side by side, so the side before is whole
        splits.set(split, (file = createLineFile(paths.split(split))))
      }
      const { offset, length, hash } = file.write(row)
      piece ??= { file: paths.split(split), from: offset, rows: 0 }
      piece.rows += 1
      if (piece.rows === ROWS_A_PIECE) {
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
    abandon: () => all().forEach((file) => file.abandon()),
  }
}
