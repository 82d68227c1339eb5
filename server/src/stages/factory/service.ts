import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Bytes } from '#contracts/derive/route.ts'
import type { ChatMessage, ExampleDetail, ExamplesMade, ReviewState, Segment, SegmentCut } from '#contracts/entities/example.ts'
import { ExampleOptions } from '#contracts/entities/example.ts'
import { AppError } from '#contracts/errors.ts'
import type { buildExamples, ExampleSelection } from '#contracts/routes/factory.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { DatasetUses } from '#contracts/entities/dataset.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import { toArchiveError } from './archive-error.ts'
import type { AtifJobInput } from './atif/atif.job.ts'
import type { AugmentDeps } from './augment/service.ts'
import { chooseSessions, NOT_SELECTED, type SessionLookup } from './versions/choose.ts'
import { countReasons } from './versions/pool.ts'
import type { HeldOutItem } from './curate/held-out.ts'
import { checkMessages } from './examples/check-edit.ts'
import type { ExamplesJobInput, ExamplesJobOutput } from './examples/examples.job.ts'
import { createReviewPool, MAX_LISTED_EXCLUSIONS } from './examples/review-pool.ts'
import type { SegmentFacts } from './segment-analyser.ts'
import type { SegmentsInput, SegmentsOutput } from './segments/segments.job.ts'
import { createFactoryStore } from './store.ts'
import type { ShadowPair } from './pairs/shadow.ts'
import type { PreferredAttempt } from './pairs/types.ts'

const EXAMPLES_JOB = new URL('./examples/examples.job.ts', import.meta.url)
const ATIF_JOB = new URL('./atif/atif.job.ts', import.meta.url)
const SEGMENTS_JOB = new URL('./segments/segments.job.ts', import.meta.url)
const DEFAULTS = ExampleOptions.parse({})

export type ExamplesRequest = z.infer<typeof buildExamples.body>

export interface FactoryDeps {
  traces: Omit<SessionLookup, 'trace'> & {
    trace(traceId: string): Pick<Trace, 'agent' | 'repo' | 'title'> & ReturnType<SessionLookup['trace']>
    detail(traceId: string): { raw: { sha256: string | null } }
  }
  /** The rows of exams, which no row may resemble. */
  examinedRows: () => HeldOutItem[]
  /** Attempts at one task among which the user chose. */
  preferred: () => PreferredAttempt[]
  /** Judged answers in the shadow of these sessions, in a fixed order. */
  shadowPairs: (traceIds: readonly string[]) => ShadowPair[]
  /** The product's version, for manifests. */
  version: string
  /** The gate's current input: policy, decisions, keys. Called for each job. */
  gate: (purpose: string) => GateInput
  providers: AugmentDeps['providers']
  /** The user's own prices. */
  prices: () => Settings['prices']
  /** Tokenizer folders of the settings. */
  tokenizers: () => readonly string[]
  /** Runs and models that a data set was used for. */
  usedBy: (datasetId: string) => DatasetUses
}

export type FactoryService = ReturnType<typeof createFactoryService>

export function createFactoryService(core: Core, deps: FactoryDeps) {
  const { db, tx, events, paths, workers, now } = core
  const store = createFactoryStore(db, now)
  const storage = { database: paths.database, archive: paths.archive }

  const make = (
    traceId: string,
    options: ExampleOptions,
    { only, lane, signal }: { only?: NonNullable<ExamplesJobInput['only']>; lane: 'bulk' | 'query'; signal?: AbortSignal },
  ): Promise<ExamplesJobOutput | null> =>
    workers
      .run<ExamplesJobOutput | null>(
        EXAMPLES_JOB,
        { ...storage, traceId, options, gate: deps.gate('review of examples'), ...(only && { only }) } satisfies ExamplesJobInput,
        { lane, ...(signal && { signal }) },
      )
      .catch((error: unknown) => Promise.reject(toArchiveError(error)))
  const policyHash = () => deps.gate('review of examples').policyHash
  const pool = createReviewPool(core, store, policyHash, (traceId, options, signal) =>
    make(traceId, options, { only: 'rows', lane: 'bulk', signal }),
  )

  const readSegments = async (traceId: string): Promise<SegmentsOutput> => {
    const segments = await workers
      .run<SegmentsOutput | null>(SEGMENTS_JOB, { ...storage, traceId, gapMinutes: DEFAULTS.gapMinutes } satisfies SegmentsInput, {
        lane: 'query',
      })
      .catch((error: unknown) => Promise.reject(toArchiveError(error)))
    if (!segments) throw new AppError('trace_not_found')
    return segments
  }
  const segmentsPage = async (traceId: string) => {
    const { cuts, no } = store.cuts(traceId)
    return { ...(await readSegments(traceId)), cuts, canUndo: no !== null }
  }
  /** Call in the transaction that changes cuts: the session's examples become stale. */
  const publishCuts = (traceId: string) => {
    events.append('segments:changed', { traceId })
    store.markStale(traceId)
  }

  const requireRow = (id: string) => {
    const row = store.example(id)
    if (!row) throw new AppError('example_not_found')
    return row
  }
  const example = async (id: string): Promise<ExampleDetail> => {
    const row = requireRow(id)
    const output = await make(row.trace_id, store.source(row.trace_id) ?? DEFAULTS, { only: { id }, lane: 'query' })
    const detail = output?.examples[0]
    if (!detail) throw new AppError('example_not_found', { message: 'The session has changed and this example no longer exists.' })
    return toDetail(detail, row.created_at)
  }
  const publishChange = (traceIds: readonly string[], examples: number) =>
    events.append('examples:changed', { traceIds: [...traceIds], examples })

  return {
    segments: async (traceId: string): Promise<Segment[]> => (await readSegments(traceId)).items,
    segmentsPage,
    async setCuts(traceId: string, cuts: SegmentCut[], who: string) {
      deps.traces.trace(traceId)
      rejectDuplicateCuts(cuts)
      tx(() => {
        store.setCuts(traceId, cuts, who)
        publishCuts(traceId)
      })
      pool.wake()
      return segmentsPage(traceId)
    },
    async undoCuts(traceId: string) {
      deps.traces.trace(traceId)
      const { no } = store.cuts(traceId)
      if (no === null) throw new AppError('nothing_to_undo')
      tx(() => {
        store.undoCuts(no)
        publishCuts(traceId)
      })
      pool.wake()
      return segmentsPage(traceId)
    },

    /** A session as a document in ATIF. */
    async atif(traceId: string, signal: AbortSignal): Promise<Bytes> {
      const { agent, repo } = deps.traces.trace(traceId)
      const input: AtifJobInput = {
        archive: paths.archive,
        agent,
        traceId,
        project: repo,
        prices: deps.prices(),
        gate: deps.gate('export of a session'),
      }
      const text = await workers
        .run<string | null>(ATIF_JOB, input, { lane: 'query', signal })
        .catch((error: unknown) => Promise.reject(toArchiveError(error)))
      if (text === null)
        throw new AppError('not_found', {
          message: 'This session has no transcript, so there is nothing to export.',
          hint: 'Only hook events of this session are stored. Import its transcript first.',
        })
      const bytes = Buffer.from(text)
      return {
        stream: Readable.from([bytes]),
        fileName: `${traceId}.atif.json`,
        contentType: 'application/json',
        bytes: bytes.length,
      }
    },
    /** Makes the examples of a session of any tier without storing them. */
    async generate(traceId: string, options: ExampleOptions, signal: AbortSignal) {
      const output = await make(traceId, options, { lane: 'query', signal })
      if (!output) throw new AppError('trace_not_found')
      const { segments, examples, excluded } = output
      return { segments, examples: examples.map((one) => toDetail(one, now())), excluded }
    },

    /** The job that fills the review table, from the sessions that a data set with these criteria would use. */
    async build({ selection, options, ...criteria }: ExamplesRequest, context: JobContext): Promise<ExamplesMade> {
      const sessions = 'ids' in selection ? { traceIds: selection.ids } : { filter: selection.filter }
      const { ids, dropped } = await chooseSessions({ kind: 'sft', include: [], ...sessions, ...criteria }, deps.traces)
      const result = await pool.fill(ids, options, context)
      const left = dropped.flatMap(({ traceId, reason, detail }) =>
        traceId === null || reason === NOT_SELECTED ? [] : [{ traceId, stepId: null, reason, detail }],
      )
      return {
        ...result,
        excluded: [...countReasons(left.map(({ reason }) => reason)), ...result.excluded],
        left: [...result.left, ...left].slice(0, MAX_LISTED_EXCLUSIONS),
      }
    },

    example,
    /** The number of examples under review. */
    count: (): number => store.count(),
    review: (selection: ExampleSelection, state: ReviewState, who: string) =>
      tx(() => {
        const { bulkId, changed, traceIds } = store.review(selection, state, who)
        if (changed > 0) publishChange(traceIds, changed)
        return { bulkId, changed }
      }),
    undoReview: (bulkId: string) =>
      tx(() => {
        const { changed, traceIds } = store.undoReview(bulkId)
        if (changed === 0) throw new AppError('nothing_to_undo')
        publishChange(traceIds, changed)
        return { changed }
      }),
    async edit(id: string, messages: ChatMessage[], who: string): Promise<ExampleDetail> {
      const { trace_id: traceId, source_hash: hash, flags } = requireRow(id)
      checkMessages(messages, (JSON.parse(flags) as string[]).includes('no_solution')) // written by `replaceExamples`
      tx(() => {
        store.edit(id, traceId, messages, hash, who)
        store.markStale(traceId)
        publishChange([traceId], 1)
      })
      pool.wake()
      return example(id)
    },
    async dropEdit(id: string): Promise<ExampleDetail> {
      const { trace_id: traceId } = requireRow(id)
      tx(() => {
        if (!store.dropEdit(id)) return
        store.markStale(traceId)
        publishChange([traceId], 1)
      })
      pool.wake()
      return example(id)
    },

    /** Call in the transaction that writes a trace. */
    onDerived: (traceId: string, facts: SegmentFacts): void => {
      store.saveFacts(traceId, facts)
      store.markStale(traceId)
    },
    forget: (traceId: string): void => store.forget(traceId),
    markStale: (traceId: string): void => void store.markStale(traceId),
    wake: (): void => pool.wake(),
    /** Call after a possible change of the policy or of a decision about a finding; then prompts and findings are made again. */
    policyChanged(): void {
      if (tx(() => store.applyPolicy(policyHash()))) pool.wake()
    },
    /** Remakes stale examples and waits for them. */
    refresh: (): Promise<void> => {
      pool.wake()
      return pool.settled()
    },
    settled: (): Promise<void> => pool.settled(),
    close: (): Promise<void> => pool.close(),
  }
}

const toDetail = ({ sourceHash: _hash, ...example }: ExamplesJobOutput['examples'][number], createdAt: number): ExampleDetail => ({
  ...example,
  createdAt: new Date(createdAt).toISOString(),
})

function rejectDuplicateCuts(cuts: readonly SegmentCut[]): void {
  const ids = cuts.map(({ stepId }) => stepId)
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) throw new AppError('invalid_request', { message: `Step ${duplicate} appears twice in these cuts.` })
}
