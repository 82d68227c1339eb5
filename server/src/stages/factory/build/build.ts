import { createHmac, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Dataset, DatasetBuilt, DatasetRecipe, DroppedRow, FunnelStage } from '#contracts/entities/dataset.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { RowSource } from '../curate/candidate.ts'
import { residualScan, withSurvivors } from '#server/stages/privacy/index.ts'
import type { Assembled, AssembleInput, AssembleNews, Piece } from './assemble.job.ts'
import { chooseSessions, type ChoosingFrom } from './choose.ts'
import type { Collected, CollectInput } from './collect.job.ts'
import { inVersion, renameFolder, writeWhole, type DatasetPaths } from './folder.ts'
import type { Measured, MeasureInput } from './measure.job.ts'
import { countReasons } from './pool.ts'
import type { DatasetStore } from './store.ts'
import { tokensOf, type NamedTokenizer } from './token-counter.ts'

const COLLECT_JOB = new URL('./collect.job.ts', import.meta.url)
const MEASURE_JOB = new URL('./measure.job.ts', import.meta.url)
const ASSEMBLE_JOB = new URL('./assemble.job.ts', import.meta.url)
/** Pieces processed at once: as many as the pool has threads for. */
const AT_ONCE = 4

export interface BuildDeps {
  traces: ChoosingFrom & {
    detail(id: string): { raw: { sha256: string | null } }
  }
  sources: readonly RowSource[]
  collections: (ids: readonly string[]) => RowSource
  /** What the gate goes by now; its hash changes when anything in it does. */
  policy: () => AssembleInput['gate']
  /** The tokenizer of a base model, where it is at hand. Throws `tokenizer_invalid` for a folder that holds none. */
  tokenizer: (baseModel: string) => NamedTokenizer | null
  scoreVersion: number
  codeVersion: string
}

type Parts = Pick<Core, 'db' | 'tx' | 'events' | 'workers' | 'paths' | 'now'> & {
  store: DatasetStore
  folders: DatasetPaths
  deps: BuildDeps
}

/**
 * Builds one version: sessions are chosen, rows collected by workers into files, curated, cleared by the gate and
 * written by one worker, all inside `datasets/.building-<id>`. Only the rename and the row that follow make it visible.
 */
export async function buildDataset(parts: Parts, recipe: DatasetRecipe, { signal, progress }: JobContext): Promise<DatasetBuilt> {
  const { deps, store, folders, workers, paths, now } = parts
  const started = now()
  const id = `ds_${randomBytes(10).toString('hex')}`
  const name = recipe.name ?? recipe.kind
  const folder = folders.building(id)
  const work = path.join(folder, 'work')
  try {
    fs.mkdirSync(work, { recursive: true, mode: 0o700 })
    const policy = deps.policy()
    progress({ phase: 'selecting sessions', done: 0, total: null, unit: 'sessions' })
    const sessions = await chooseSessions(recipe, deps.traces)
    const collected = await collect(parts, recipe, sessions.ids, work, { signal, progress })

    const kept = store.sides(name)
    const tokenizer = recipe.baseModel === undefined ? null : deps.tokenizer(recipe.baseModel)
    const key = pseudonymKey(paths.datasetKey, name, recipe.seed)
    const input: AssembleInput = {
      folder,
      candidates: collected.files,
      recipe,
      families: await deps.traces.families(),
      kept,
      gate: policy,
      key,
      early: [...sessions.dropped, ...collected.dropped],
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

    fs.rmSync(work, { recursive: true })
    const funnel = [without(sessions.stage, collected.sessionsLeft), ...collected.stages, ...assembled.stages]
    const built: Omit<DatasetBuilt, 'version' | 'ms'> = {
      id,
      name,
      kind: recipe.kind,
      counts: { sessions: assembled.sources.length, segments: collected.segments, examples: collected.made, ...assembled.counts },
      excluded: countReasonsOf(funnel),
      tokens: tokensOf(
        measured.map(({ tokens }) => tokens),
        tokenizer,
      ),
      redactions: assembled.privacy.findingsByType,
      duplicates: droppedIn(funnel, 'dedup'),
      contaminated: droppedIn(funnel, 'decontamination'),
      files: assembled.files,
      seed: recipe.seed,
    }
    const dataset: Dataset = {
      ...built,
      version: store.nextVersion(name),
      ms: now() - started,
      createdAt: new Date(now()).toISOString(),
      sizeBytes: assembled.files.reduce((sum, file) => sum + file.bytes, 0),
      filters: filtersOf(recipe),
      options: recipe,
      funnel,
      scoreVersion: deps.scoreVersion,
      codeVersion: deps.codeVersion,
      policyHash: policy.policyHash,
      privacy: withSurvivors(assembled.privacy, survivorsOf(measured, await residualScan([]))),
      sources: assembled.sources.map((source) => ({ ...source, contentHash: deps.traces.detail(source.traceId).raw.sha256 ?? '' })),
      lineage: { runs: [], models: [] },
    }
    writeWhole(inVersion(folder).manifest, `${JSON.stringify(dataset, null, 2)}\n`)
    renameFolder(folder, folders.of(id))
    parts.tx(() => {
      store.add(dataset, now())
      store.keepSides(name, assembled.sessions)
      parts.events.append('dataset:added', { dataset: store.toSummary(store.require(id), []) })
    })
    return { ...built, version: dataset.version, ms: dataset.ms }
  } catch (error) {
    for (const leftover of [folder, folders.of(id)]) fs.rmSync(leftover, { recursive: true, force: true })
    throw ofBuild(error, folders.root)
  }
}

/**
 * One worker curates, clears and writes, because a made-up value may depend on those before it; others read what it has
 * written while it continues.
 */
async function assemble(
  workers: Core['workers'],
  input: AssembleInput,
  reading: Omit<MeasureInput, keyof Piece>,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<{ assembled: Assembled; measured: Measured[] }> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const readings: Promise<Measured>[] = []
  let [rows, read] = [0, 0]
  let isWritten = false
  const start = (written: Piece) => {
    rows += written.rows
    const one = workers.run<Measured>(MEASURE_JOB, { ...written, ...reading } satisfies MeasureInput, { lane: 'bulk', signal: either })
    readings.push(
      one.then(
        (result) => {
          read += written.rows
          if (isWritten) progress({ phase: 'second scan', done: read, total: rows, unit: 'rows' })
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
      const news = value as AssembleNews // sent by assemble.job
      if ('written' in news) start(news.written)
      else progress(news)
    }
    const assembled = await workers.run<Assembled>(ASSEMBLE_JOB, input, { lane: 'bulk', signal: either, onProgress })
    isWritten = true
    return { assembled, measured: await Promise.all(readings) }
  } catch (error) {
    failed.abort(error)
    await Promise.allSettled(readings) // they read the folder that goes now
    throw error
  }
}

/** The second scan of all pieces as one. */
const survivorsOf = (measured: readonly Measured[], nothing: Measured['survivors']): Measured['survivors'] =>
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
    nothing,
  )

interface CollectedAll {
  files: string[]
  stages: FunnelStage[]
  dropped: DroppedRow[]
  /** Sessions that were chosen and have nothing in them to cut up, by reason. */
  sessionsLeft: FunnelStage['dropped']
  segments: number
  made: number
}

async function collect(
  { deps, workers, paths }: Parts,
  recipe: DatasetRecipe,
  sessions: readonly string[],
  work: string,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<CollectedAll> {
  const sources = [
    ...deps.sources.filter(({ kinds }) => kinds.includes(recipe.kind)),
    ...(recipe.include.length > 0 ? [deps.collections(recipe.include)] : []),
  ]
  const pieces: { module: string; piece: unknown }[] = []
  for (const source of sources)
    for (const piece of await source.plan(sessions, recipe, { signal, progress })) pieces.push({ module: source.module, piece })
  const results: Collected[] = []
  let next = 0
  let done = 0
  const worker = async () => {
    for (let at = next++; at < pieces.length; at = next++) {
      const { module, piece } = pieces[at]!
      const input: CollectInput = { module, piece, database: paths.database, archive: paths.archive, file: fileOf(work, at) }
      results[at] = await workers.run<Collected>(COLLECT_JOB, input, { lane: 'bulk', signal })
      done += 1
      progress({ phase: 'building rows', done, total: pieces.length, unit: 'batches' })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const dropped = results.flatMap((result) => result.dropped)
  const sum = (key: 'segments' | 'made' | 'rows') => results.reduce((total, result) => total + result[key], 0)
  const reasonsOf = (stage: string) => countReasons(dropped.filter((one) => one.stage === stage).map(({ reason }) => reason))
  const unit = recipe.kind === 'dpo' || recipe.kind === 'kto' ? 'pairs' : 'examples'
  const cut = reasonsOf('segments')
  const reviewed = reasonsOf('review')
  const stages: FunnelStage[] = [
    { stage: 'segments', unit: 'segments', in: sum('segments'), out: sum('segments') - total(cut), dropped: cut },
    ...(unit === 'examples' ? [partsStage(results, sum('segments') - total(cut))] : []),
    { stage: 'review', unit, in: sum('made'), out: sum('rows'), dropped: reviewed },
  ]
  return {
    files: pieces.map((_, at) => fileOf(work, at)),
    stages,
    dropped,
    sessionsLeft: reasonsOf('filter'),
    segments: sum('segments'),
    made: sum('made'),
  }
}

/** From segments to examples: a long segment gives several; variants and imported rows come beside them. */
function partsStage(results: readonly Collected[], segments: number): FunnelStage {
  const sum = (of: (result: Collected) => number) => results.reduce((all, result) => all + of(result), 0)
  const made = sum((result) => result.made)
  const parts = sum(({ split }) => split.parts)
  const variants = sum(({ split }) => split.variants)
  const added = { parts, splitSegments: sum(({ split }) => split.splitSegments), variants, imported: made - segments - parts - variants }
  return { stage: 'parts', unit: 'examples', in: segments, out: made, dropped: [], added }
}

const fileOf = (work: string, index: number) => path.join(work, `${String(index).padStart(6, '0')}.jsonl`)
const without = (stage: FunnelStage, more: FunnelStage['dropped']): FunnelStage => ({
  ...stage,
  out: stage.out - total(more),
  dropped: [...stage.dropped, ...more],
})
const total = (reasons: FunnelStage['dropped']) => reasons.reduce((sum, { count }) => sum + count, 0)
const droppedIn = (funnel: readonly FunnelStage[], name: string) => total(funnel.find(({ stage }) => stage === name)?.dropped ?? [])
/** All reasons but those of sessions outside the recipe. */
const countReasonsOf = (funnel: readonly FunnelStage[]) =>
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
 * The key of a data set's pseudonyms and made-up values: from a secret of this data directory, the name and the seed, so
 * that versions of one name replace the same value alike and two names do not. Hex. The secret is made on first use.
 */
export function pseudonymKey(secretFile: string, name: string, seed: number): string {
  if (!fs.existsSync(secretFile)) writeWhole(secretFile, randomBytes(32).toString('hex'))
  return createHmac('sha256', Buffer.from(fs.readFileSync(secretFile, 'utf8').trim(), 'hex'))
    .update(`${name}\0${seed}`)
    .digest('hex')
}

/** A full disk is said as such; errors cross threads as plain ones with their code as cause. */
function ofBuild(error: unknown, root: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? (error as { cause?: { code?: string } }).cause?.code
  if (code === 'path_refused') return new AppError('path_refused', { message: (error as Error).message, cause: error })
  if (code !== 'ENOSPC') return error
  return new AppError('disk_full', {
    message: `The disk of ${root} is full, so the data set was not built.`,
    hint: 'Free up disk space, then build it again. Existing data is safe.',
    cause: error,
  })
}
