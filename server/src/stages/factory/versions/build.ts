import { createHmac, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Dataset, DatasetBuilt, DatasetRecipe, DroppedRow, FunnelStage } from '#contracts/entities/dataset.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { performEach } from '#server/runs/pool.ts'
import type { RowSource } from '../curate/candidate.ts'
import type { HeldOutItem } from '../curate/held-out.ts'
import { residualScan, withSurvivors } from '#server/stages/privacy/index.ts'
import type { Assembled, AssembleInput, AssembleMessage, Piece } from './assemble.job.ts'
import { chooseSessions, type SessionLookup } from './choose.ts'
import type { Collected, CollectInput } from './collect.job.ts'
import { versionFiles, renameFolder, writeNewFile, type DatasetPaths } from './folder.ts'
import type { Measured, MeasureInput } from './measure.job.ts'
import { countReasons } from './pool.ts'
import type { DatasetStore } from './store.ts'
import { tokensOf, type NamedTokenizer } from './token-counter.ts'

const COLLECT_JOB = new URL('./collect.job.ts', import.meta.url)
const MEASURE_JOB = new URL('./measure.job.ts', import.meta.url)
const ASSEMBLE_JOB = new URL('./assemble.job.ts', import.meta.url)
/** As many as the pool has threads for. */
const CONCURRENT_PIECES = 4

export interface BuildDeps {
  traces: SessionLookup & {
    detail(id: string): { raw: { sha256: string | null } }
  }
  sources: readonly RowSource[]
  collections: (ids: readonly string[]) => RowSource
  /** The gate's current input; its hash changes when any part of it changes. */
  policy: () => AssembleInput['gate']
  /** The tokenizer of a base model; null if it is not on this machine. Throws `tokenizer_invalid` for a folder without one. */
  tokenizer: (baseModel: string) => NamedTokenizer | null
  scoreVersion: number
  codeVersion: string
  /** The rows of exams, which no row may resemble. */
  examined?: () => HeldOutItem[]
}

type BuildContext = Pick<Core, 'db' | 'tx' | 'events' | 'workers' | 'paths' | 'now'> & {
  store: DatasetStore
  folders: DatasetPaths
  deps: BuildDeps
}

/**
 * Builds one version in `datasets/.building-<id>`: chooses sessions, collects rows with workers, then one worker curates
 * them, passes them through the gate and writes them. The version becomes visible only when the folder is renamed and its
 * database row is added.
 */
export async function buildDataset(context: BuildContext, recipe: DatasetRecipe, { signal, progress }: JobContext): Promise<DatasetBuilt> {
  const { deps, store, folders, workers, paths, now } = context
  const startedAt = now()
  const id = `ds_${randomBytes(10).toString('hex')}`
  const name = recipe.name ?? recipe.kind
  const folder = folders.building(id)
  const workFolder = path.join(folder, 'work')
  try {
    fs.mkdirSync(workFolder, { recursive: true, mode: 0o700 })
    const policy = deps.policy()
    progress({ phase: 'selecting sessions', done: 0, total: null, unit: 'sessions' })
    const sessions = await chooseSessions(recipe, deps.traces)
    const collected = await collect(context, recipe, sessions.ids, workFolder, { signal, progress })

    const tokenizer = recipe.baseModel === undefined ? null : deps.tokenizer(recipe.baseModel)
    const key = pseudonymKey(paths.datasetKey, name, recipe.seed)
    const input: AssembleInput = {
      folder,
      candidates: collected.files,
      recipe,
      families: await deps.traces.families(),
      earlierSides: store.sides(name),
      gate: policy,
      key,
      earlierDrops: [...sessions.dropped, ...collected.dropped],
      examined: deps.examined?.() ?? [],
    }
    const { assembled, measured } = await assemble(
      workers,
      input,
      { key, canaries: recipe.canaries, tokenizer, maxTokens: recipe.maxTokens ?? null },
      { signal, progress },
    )
    signal.throwIfAborted()
    if (deps.policy().policyHash !== policy.policyHash)
      throw new AppError('policy_changed', {
        message: 'The privacy policy or a privacy decision changed during the build, so the data set was discarded.',
        hint: 'Build it again to apply the current policy.',
      })

    fs.rmSync(workFolder, { recursive: true })
    const funnel = [withDropped(sessions.stage, collected.emptySessions), ...collected.stages, ...assembled.stages]
    const summary: Omit<DatasetBuilt, 'version' | 'ms'> = {
      id,
      name,
      kind: recipe.kind,
      counts: { sessions: assembled.sources.length, segments: collected.segments, examples: collected.candidateCount, ...assembled.counts },
      excluded: excludedReasons(funnel),
      tokens: tokensOf(
        measured.map(({ tokens }) => tokens),
        tokenizer,
      ),
      redactions: assembled.privacy.findingsByType,
      duplicates: droppedIn(funnel, 'dedup'),
      contaminated: droppedIn(funnel, 'decontamination'),
      largestSession: assembled.largestSession,
      files: assembled.files,
      seed: recipe.seed,
    }
    const dataset: Dataset = {
      ...summary,
      version: store.nextVersion(name),
      ms: now() - startedAt,
      createdAt: new Date(now()).toISOString(),
      sizeBytes: assembled.files.reduce((sum, file) => sum + file.bytes, 0),
      filters: filtersOf(recipe),
      options: recipe,
      funnel,
      scoreVersion: deps.scoreVersion,
      codeVersion: deps.codeVersion,
      policyHash: policy.policyHash,
      privacy: withSurvivors(assembled.privacy, sumSurvivors(measured, await residualScan([]))),
      sources: assembled.sources.map((source) => ({ ...source, contentHash: deps.traces.detail(source.traceId).raw.sha256 ?? '' })),
      lineage: { runs: [], models: [] },
    }
    writeNewFile(versionFiles(folder).manifest, `${JSON.stringify(dataset, null, 2)}\n`)
    renameFolder(folder, folders.of(id))
    context.tx(() => {
      store.add(dataset, now())
      store.keepSides(name, assembled.sessions)
      context.events.append('dataset:added', { dataset: store.toSummary(store.require(id), []) })
    })
    return { ...summary, version: dataset.version, ms: dataset.ms }
  } catch (error) {
    for (const leftover of [folder, folders.of(id)]) fs.rmSync(leftover, { recursive: true, force: true })
    throw toBuildError(error, folders.root)
  }
}

/** One worker writes all rows, because a made-up value may depend on earlier ones; other workers measure finished pieces meanwhile. */
async function assemble(
  workers: Core['workers'],
  input: AssembleInput,
  measureOptions: Omit<MeasureInput, keyof Piece>,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<{ assembled: Assembled; measured: Measured[] }> {
  const failed = new AbortController()
  const stopSignal = AbortSignal.any([signal, failed.signal])
  const measurements: Promise<Measured>[] = []
  let [writtenRows, measuredRows] = [0, 0]
  let isWritten = false
  const start = (piece: Piece) => {
    writtenRows += piece.rows
    const measurement = workers.run<Measured>(MEASURE_JOB, { ...piece, ...measureOptions } satisfies MeasureInput, {
      lane: 'bulk',
      signal: stopSignal,
    })
    measurements.push(
      measurement.then(
        (result) => {
          measuredRows += piece.rows
          if (isWritten) progress({ phase: 'second scan', done: measuredRows, total: writtenRows, unit: 'rows' })
          return result
        },
        (error: unknown) => {
          failed.abort(error)
          throw error
        },
      ),
    )
  }
  try {
    const onProgress = (value: unknown) => {
      const message = value as AssembleMessage // sent by assemble.job
      if ('piece' in message) start(message.piece)
      else progress(message)
    }
    const assembled = await workers.run<Assembled>(ASSEMBLE_JOB, input, { lane: 'bulk', signal: stopSignal, onProgress })
    isWritten = true
    return { assembled, measured: await Promise.all(measurements) }
  } catch (error) {
    failed.abort(error)
    await Promise.allSettled(measurements) // they read the folder that the caller deletes next
    throw error
  }
}

/** Adds up the second scans of all pieces. */
const sumSurvivors = (measured: readonly Measured[], empty: Measured['survivors']): Measured['survivors'] =>
  measured.reduce(
    (sum, { survivors }) => ({
      ...sum,
      findings: sum.findings + survivors.findings,
      canaries: sum.canaries + survivors.canaries,
      byType: Object.fromEntries(
        [...new Set([...Object.keys(sum.byType), ...Object.keys(survivors.byType)])]
          .toSorted()
          .map((type) => [type, (sum.byType[type] ?? 0) + (survivors.byType[type] ?? 0)]),
      ),
    }),
    empty,
  )

interface CollectedPieces {
  files: string[]
  stages: FunnelStage[]
  dropped: DroppedRow[]
  /** Reasons of chosen sessions that gave no segment. */
  emptySessions: FunnelStage['dropped']
  segments: number
  candidateCount: number
}

async function collect(
  { deps, workers, paths }: BuildContext,
  recipe: DatasetRecipe,
  sessions: readonly string[],
  workFolder: string,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<CollectedPieces> {
  const sources = [
    ...deps.sources.filter(({ kinds }) => kinds.includes(recipe.kind)),
    ...(recipe.include.length > 0 ? [deps.collections(recipe.include)] : []),
  ]
  const pieces: { module: string; piece: unknown }[] = []
  for (const source of sources)
    for (const piece of await source.plan(sessions, recipe, { signal, progress })) pieces.push({ module: source.module, piece })
  const results: Collected[] = []
  let done = 0
  await performEach(pieces.entries(), { places: () => CONCURRENT_PIECES, signal }, async ([at, { module, piece }], stop) => {
    const input: CollectInput = { module, piece, database: paths.database, archive: paths.archive, file: candidateFile(workFolder, at) }
    results[at] = await workers.run<Collected>(COLLECT_JOB, input, { lane: 'bulk', signal: stop })
    done += 1
    progress({ phase: 'building rows', done, total: pieces.length, unit: 'batches' })
  })
  const dropped = results.flatMap((result) => result.dropped)
  const sum = (key: 'segments' | 'candidateCount' | 'rows') => results.reduce((total, result) => total + result[key], 0)
  const reasonsOf = (stage: string) => countReasons(dropped.filter((one) => one.stage === stage).map(({ reason }) => reason))
  const unit = recipe.kind === 'dpo' || recipe.kind === 'kto' ? 'pairs' : 'examples'
  const segmentReasons = reasonsOf('segments')
  const reviewReasons = reasonsOf('review')
  const stages: FunnelStage[] = [
    { stage: 'segments', unit: 'segments', in: sum('segments'), out: sum('segments') - total(segmentReasons), dropped: segmentReasons },
    ...(unit === 'examples' ? [partsStage(results, sum('segments') - total(segmentReasons))] : []),
    { stage: 'review', unit, in: sum('candidateCount'), out: sum('rows'), dropped: reviewReasons },
  ]
  return {
    files: pieces.map((_, at) => candidateFile(workFolder, at)),
    stages,
    dropped,
    emptySessions: reasonsOf('filter'),
    segments: sum('segments'),
    candidateCount: sum('candidateCount'),
  }
}

/** From segments to examples: a long segment gives several, and variants and imported rows are added. */
function partsStage(results: readonly Collected[], segments: number): FunnelStage {
  const sum = (countOf: (result: Collected) => number) => results.reduce((all, result) => all + countOf(result), 0)
  const candidateCount = sum((result) => result.candidateCount)
  const parts = sum(({ split }) => split.parts)
  const variants = sum(({ split }) => split.variants)
  const added = {
    parts,
    splitSegments: sum(({ split }) => split.splitSegments),
    variants,
    imported: candidateCount - segments - parts - variants,
  }
  return { stage: 'parts', unit: 'examples', in: segments, out: candidateCount, dropped: [], added }
}

const candidateFile = (workFolder: string, index: number) => path.join(workFolder, `${String(index).padStart(6, '0')}.jsonl`)
const withDropped = (stage: FunnelStage, extraReasons: FunnelStage['dropped']): FunnelStage => ({
  ...stage,
  out: stage.out - total(extraReasons),
  dropped: [...stage.dropped, ...extraReasons],
})
const total = (reasons: FunnelStage['dropped']) => reasons.reduce((sum, { count }) => sum + count, 0)
const droppedIn = (funnel: readonly FunnelStage[], name: string) => total(funnel.find(({ stage }) => stage === name)?.dropped ?? [])
/** Leaves out sessions that the recipe does not select. */
const excludedReasons = (funnel: readonly FunnelStage[]) =>
  funnel.flatMap(({ dropped }) => dropped).filter(({ reason }) => reason !== 'not selected')

const filtersOf = ({ query, tiers, repos, traceIds, minQuality, unverified, review, include }: DatasetRecipe): Dataset['filters'] => ({
  ...(query !== undefined && { query }),
  ...(tiers && { tiers }),
  ...(repos && { repos }),
  ...(traceIds && { traceIds }),
  ...(minQuality !== undefined && { minQuality }),
  ...(unverified && { unverified }),
  review,
  ...(include.length > 0 && { include }),
})

/**
 * The key (hex) of a data set's pseudonyms and made-up values. It depends on a secret of this data directory, the name and
 * the seed, so versions of one name replace a value in the same way and other data sets do not. Creates the secret on first use.
 */
export function pseudonymKey(secretFile: string, name: string, seed: number): string {
  if (!fs.existsSync(secretFile)) writeNewFile(secretFile, randomBytes(32).toString('hex'))
  return createHmac('sha256', Buffer.from(fs.readFileSync(secretFile, 'utf8').trim(), 'hex'))
    .update(`${name}\0${seed}`)
    .digest('hex')
}

/** Restores errors of workers: they arrive as plain errors with their code in the cause. */
function toBuildError(error: unknown, root: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? (error as { cause?: { code?: string } }).cause?.code
  if (code === 'path_refused') return new AppError('path_refused', { message: (error as Error).message, cause: error })
  if (code !== 'ENOSPC') return error
  return new AppError('disk_full', {
    message: `The disk of ${root} is full, so the data set was not built.`,
    hint: 'Free up disk space, then build it again. Existing data is safe.',
    cause: error,
  })
}
