import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tier } from '#contracts/entities/common.ts'
import type { Segment } from '#contracts/entities/example.ts'
import type { Score } from '#contracts/entities/score.ts'
import type { AnsweredBy } from '#contracts/entities/router.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { Step, TranscriptItem } from '#contracts/entities/step.ts'
import type { ArchiveSource, TraceDetail } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import { createMeta } from '#server/db/meta.ts'
import { pageOf } from '#server/db/paging.ts'
import type { Core } from '#server/core.ts'
import { projectOf } from './readers/claude-code/repo.ts'
import { readManifest } from '#server/stages/capture/index.ts'
import type { ArchiveChange, ArchivedSource, ClientState, DerivedCounts } from '#server/stages/capture/index.ts'
import { createAnalytics } from './analytics.ts'
import { createDecisions } from './decisions/service.ts'
import { createDecisionStore } from './decisions/store.ts'
import type { DerivedTrace, DeriveInput, DeriveOutput, EntryRow } from './derived.ts'
import { createDeriving } from './deriving.ts'
import type { AnalyserUse } from './deriving.ts'
import { familiesOf } from './families.ts'
import { createHome } from './home.ts'
import { createLists } from './list.ts'
import { positionOf } from './filter/sorting.ts'
import { costOf, listPrices, priceOf, similarPrice } from '#server/prices/prices.ts'
import type { ModelUsage } from '#server/prices/prices.ts'
import type { PageEntry, PageInput } from './page.job.ts'
import type { PassagesInput, PassagesOutput } from './passages.job.ts'
import type { Reading, ReadingInput } from './reading.job.ts'
import { newestMain, rawOf } from './raw.ts'
import { rebuild } from './rebuild.ts'
import type { RebuildDeps } from './rebuild.ts'
import { toTrace, traceDirOf } from './rows.ts'
import type { TraceRow } from './rows.ts'
import { attachPrecedingText } from './preceding-text.ts'
import { createSearch } from './search/search.ts'
import { createSessions } from './sessions.ts'
import { createStats } from './stats.ts'
import { createTraceStore } from './store.ts'
import { createViews } from './views.ts'

const PAGE_JOB = new URL('./page.job.ts', import.meta.url)
const PASSAGES_JOB = new URL('./passages.job.ts', import.meta.url)
const READING_JOB = new URL('./reading.job.ts', import.meta.url)
/** Visits of Home within this time count as one. */
const VISIT_MS = 30 * 60_000
const COSTS_AT_A_TIME = 200
/** About half a megabyte of JSON. */
const ROWS_AT_A_TIME = 2500

export interface TracesDeps {
  capture: RebuildDeps & {
    /** Removes archive and rows for good; calls `onForgotten` in its transaction. */
    forget: (traceId: string) => Promise<void>
    totals: () => { bytes: number; rawBytes: number }
  }
  analysers: readonly AnalyserUse[]
  onDerived: (traceId: string, analyses: Record<string, unknown>, trace: DerivedTrace, change: { grown: boolean }) => void
  /** The score for the page of a trace. */
  getScore: (traceId: string) => Score | null
  /** Tasks inside a session; absent if no later stage finds any. */
  segments?: (traceId: string) => Promise<Segment[]>
  /** The user's prices. */
  prices: () => Settings['prices']
  /** The client's process of a session, or null if unknown. */
  clientOf?: (sessionId: string) => ClientState | null
  /** The model of the user's own that answers under this name in the client, or null. */
  answeredBy?: (name: string) => AnsweredBy | null
  /** Replaces the worker in tests. */
  derive?: (input: DeriveInput, options: { live: boolean; signal: AbortSignal }) => Promise<DeriveOutput>
  readPage?: (input: PageInput) => Promise<TranscriptItem[]>
}

export type TracesService = ReturnType<typeof createTracesService>

export function createTracesService(core: Core, deps: TracesDeps) {
  const { db, tx, events, paths, workers, now } = core
  const store = createTraceStore(db)
  const decisionStore = createDecisionStore(db, now)
  const decisions = createDecisions(core, store, decisionStore)
  const sessions = createSessions(core, store, deps.clientOf ?? (() => null))
  const lists = createLists(core, () => search.finishIndexing())
  if (!core.readsOnly) core.disk.whenThereIsSpace(() => tx(() => store.sweep()))
  const search = createSearch(core, () => deriving.isBusy())
  let writes = 0
  const deriving = createDeriving({
    core,
    store,
    sessions,
    analysers: deps.analysers,
    onDerived: deps.onDerived,
    prices: deps.prices,
    applyTier: decisions.applyTier,
    onWritten: () => {
      writes += 1
      search.wake()
    },
    ...(deps.derive && { derive: deps.derive }),
  })
  if (!core.readsOnly && search.hasWork()) search.wake()

  const readPage =
    deps.readPage ??
    ((input: PageInput) =>
      workers.run<TranscriptItem[]>(PAGE_JOB, input, { lane: 'query' }).catch((error: unknown) => Promise.reject(withErrorCode(error))))
  const dirOf = (row: TraceRow) => traceDirOf(paths.archive, row.agent, row.id)
  const page = async (row: TraceRow, entries: PageEntry[], untruncated: boolean): Promise<TranscriptItem[]> => {
    if (entries.length === 0) return []
    const items = await readPage({ traceDir: dirOf(row), entries, untruncated })
    return items.map((item, at) => withStudent(item, entries[at]!.row))
  }
  /** Says which model of the user's own answered. */
  const withStudent = (item: TranscriptItem, { byMod, model }: EntryRow): TranscriptItem => {
    const answeredBy = byMod && model !== null ? deps.answeredBy?.(model) : null
    if (!answeredBy) return item
    return item.kind === 'step' ? { ...item, step: { ...item.step, answeredBy } } : { ...item, answeredBy }
  }
  const withPrecedingText = (row: TraceRow, steps: EntryRow[]): PageEntry[] =>
    steps.length === 0 ? [] : attachPrecedingText(steps, store.around(row, steps[0]!.ord, steps.at(-1)!.ord))
  const toStep = (item: TranscriptItem): Step => {
    if (item.kind !== 'step') throw new Error(`The entry ${item.id} is not a step.`)
    return item.step
  }

  const meta = createMeta(db)
  /** Time of the previous visit of Home; null the first time. */
  const lastVisit = (): number | null => {
    try {
      tx(() => {
        const latest = Number(meta.get('home.latest') ?? 0)
        if (now() - latest > VISIT_MS) meta.set('home.before', String(latest))
        meta.set('home.latest', String(now()))
      })
    } catch (error) {
      if (!core.disk.reportIfFull(error)) throw error // the page is shown anyway
    }
    return Number(meta.get('home.before') ?? 0) || null
  }

  const stats = createStats(core, lists, deps.prices, deps.capture.totals, () => writes)

  return {
    ...decisions,
    lists,
    views: createViews(core),
    stats,
    analytics: createAnalytics(core, lists, deps.prices, () => writes),
    prices: async () => ({
      ...listPrices(),
      used: (await stats()).usedModels.map((model) => {
        const price = priceOf(model, deps.prices())
        return { model, price, similar: price === null ? similarPrice(model) : null }
      }),
    }),
    home: createHome(core, lists, lastVisit),

    onArchived: (change: ArchiveChange): Promise<DerivedCounts> => deriving.onArchived(change),
    onSignal: sessions.onSignal,
    /** Ends live sessions without activity; also runs once a minute. */
    sweepSilent: sessions.sweep,
    searchStatus: search.status,
    searchProblems: search.problems,
    settleSearch: search.finishIndexing,

    follower: deriving.follower,
    /** Derives a session again although nothing grew (rescoring). */
    async rederive(traceId: string, signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      const row = store.require(traceId)
      await deriving.onArchived({
        traceId,
        agent: row.agent,
        sessionId: row.session_id,
        sample: row.sample === 1,
        traceDir: dirOf(row),
        isNew: false,
        bytes: 0,
        reason: 'rebuild',
        jobId: null,
      })
    },

    /** Runs in capture's transaction that deletes a session: removes its rows and the user's data about it. */
    forgetRows(traceId: string): void {
      const head = store.head(traceId)
      decisionStore.forget(traceId)
      if (!head) return
      store.remove(head.no)
      events.append('trace:removed', { id: traceId })
      search.wake()
    },
    async forget(traceId: string): Promise<void> {
      store.require(traceId)
      await deps.capture.forget(traceId)
    },

    /** Pairs of sessions that share records: forks, and continuations that copied earlier records. */
    families: () => familiesOf(lists),
    /** Every session with its revision, for stages that track changes by it. */
    summaries: () => db.prepare<[], { id: string; rev: number; repo: string | null }>('SELECT id, rev, repo FROM traces').all(),
    /** The folder of the project that a session mostly ran in; '' if unknown. */
    project(traceId: string): string {
      const { cwd } = store.trace(traceId)
      return cwd === null ? '' : projectOf(cwd)
    },
    head: (traceId: string) =>
      db
        .prepare<[string], { id: string; rev: number; repo: string | null }>('SELECT id, rev, repo FROM traces WHERE id = ?')
        .get(traceId) ?? null,
    isBusy: deriving.isBusy,
    /** One item on the page of a session, with full texts. */
    async item(traceId: string, entryId: string): Promise<TranscriptItem> {
      const row = store.require(traceId)
      const entry = store.entry(row, entryId)
      if (!entry) throw new AppError('not_found', { message: `This trace has no entry with the id ${entryId}.` })
      return (await page(row, [{ row: entry }], true))[0]!
    },
    /** Facts for statistics over all sessions: tier, length, tools used. */
    async figures(): Promise<{ tier: Tier; minutes: number | null; tools: string[] }[]> {
      const sql = `SELECT t.tier, t.duration_ms, (SELECT json_group_array(f.value) FROM trace_facets f WHERE f.trace = t.no AND f.kind = 'tool') AS tools FROM traces t`
      const [rows] = (await lists.query([{ sql, params: [] }], false)) as [{ tier: Tier; duration_ms: number | null; tools: string }[]]
      return rows.map(({ tier, duration_ms, tools }) => ({
        tier,
        minutes: duration_ms === null ? null : duration_ms / 60_000,
        tools: JSON.parse(tools) as string[], // json_group_array of a text column
      }))
    },
    /** How many requests to models each of these sessions made: answers, each once. */
    async requestsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const sql = `SELECT t.id, count(DISTINCT coalesce(r.message, r.key)) AS n FROM traces t JOIN responses r ON r.trace = t.no
        WHERE t.id IN (SELECT value FROM json_each(?)) GROUP BY t.no`
      const [rows] = (await lists.query([{ sql, params: [JSON.stringify(ids)] }], false)) as [{ id: string; n: number }[]]
      return new Map(rows.map(({ id, n }) => [id, n]))
    },
    count: (): number => db.prepare<[], { n: number }>('SELECT count(*) AS n FROM traces').get()!.n,
    /** The traces among these whose tier the user set, with that tier. */
    userTiers(ids: readonly string[]): ReadonlyMap<string, Tier> {
      const rows = db
        .prepare<[string], { id: string; tier: Tier }>(
          "SELECT id, tier FROM traces WHERE tier_source = 'user' AND id IN (SELECT value FROM json_each(?))",
        )
        .all(JSON.stringify(ids))
      return new Map(rows.map(({ id, tier }) => [id, tier]))
    },

    trace: store.trace,
    detail(traceId: string): TraceDetail {
      const row = store.require(traceId)
      const details = store.details(row.no)!
      const sources = readManifest(dirOf(row))
      const main = newestMain(sources)
      return {
        ...toTrace(row),
        score: deps.getScore(traceId),
        segments: null,
        turns: JSON.parse(details.turn_list) as TraceDetail['turns'],
        subagents: JSON.parse(details.subagents) as TraceDetail['subagents'],
        files: JSON.parse(details.files) as TraceDetail['files'],
        sources: sources.map(toSource),
        problemList: JSON.parse(details.problems) as TraceDetail['problemList'],
        tools: JSON.parse(details.tools) as TraceDetail['tools'],
        raw: { bytes: main?.bytes ?? 0, sha256: main?.sha256 ?? null, archivedAt: main?.archivedAt ?? null },
      }
    },

    /** None for a session with a damaged archive, so that its page opens anyway. */
    segments: (traceId: string): Promise<Segment[]> =>
      (deps.segments?.(traceId) ?? Promise.resolve([])).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'archive_damaged') return []
        throw error
      }),

    async steps(traceId: string, cursor: string | undefined, limit: number) {
      const row = store.require(traceId)
      const { items: entries, nextCursor } = pageOf(store.steps(row, positionOf(cursor ?? ''), limit + 1), limit, ({ ord }) => ord)
      return { items: (await page(row, withPrecedingText(row, entries), false)).map(toStep), nextCursor, total: store.countSteps(row) }
    },
    async step(traceId: string, stepId: string): Promise<Step> {
      const row = store.require(traceId)
      const entry = store.entry(row, stepId)
      if (entry?.kind !== 'call') throw new AppError('not_found', { message: `This trace has no step with the id ${stepId}.` })
      return toStep((await page(row, withPrecedingText(row, [entry]), true))[0]!)
    },
    async transcript(traceId: string, query: { cursor?: string | undefined; at?: string | undefined; limit: number }) {
      const row = store.require(traceId)
      const from =
        query.cursor === undefined && query.at !== undefined ? { at: positionOf(query.at) } : { after: positionOf(query.cursor ?? '') }
      const { items: entries, nextCursor } = pageOf(store.entries(row, from, query.limit + 1), query.limit, ({ ord }) => ord)
      const pageEntries = entries.map((entry) => ({ row: entry }))
      return { items: await page(row, pageEntries, false), nextCursor, total: store.countEntries(row) }
    },
    /** Items of a session, or with `since` only those of later revisions. Paged, because the query runs on the main thread. */
    timeline(traceId: string, { since = -1, cursor = '' }: { since?: number | undefined; cursor?: string | undefined } = {}) {
      const row = store.require(traceId)
      const { items: rows, nextCursor } = pageOf(
        store.timeline(row, since, positionOf(cursor), ROWS_AT_A_TIME + 1),
        ROWS_AT_A_TIME,
        ({ position }) => position,
      )
      return { rev: row.rev, total: store.countEntries(row), rows, nextCursor }
    },
    /** Every text of a session through a reader module of another stage, in a worker; only what is new since `afterRev`. Null if the trace was deleted. */
    passages: (
      input: Pick<PassagesInput, 'traceId' | 'afterRev' | 'module' | 'options' | 'known'>,
      options: { lane: 'bulk' | 'query'; signal?: AbortSignal },
    ): Promise<PassagesOutput | null> =>
      workers.run(PASSAGES_JOB, { ...input, database: paths.database, archive: paths.archive } satisfies PassagesInput, options),
    /** A whole session through a reader module of another stage, in a worker. Null if the trace was deleted. */
    reading: (
      input: Pick<ReadingInput, 'traceId' | 'module' | 'options'>,
      options: { lane: 'bulk'; signal: AbortSignal },
    ): Promise<Reading | null> =>
      workers.run(READING_JOB, { ...input, database: paths.database, archive: paths.archive } satisfies ReadingInput, options),
    /** Sets a problem of another stage with a session, one per kind; null removes it. In a transaction. */
    setProblem(traceId: string, kind: string, source: string, message: string | null): void {
      const isChanged = store.setProblem(traceId, kind, message === null ? null : { kind, source, line: null, message })
      if (isChanged) events.append('trace:batch', { jobId: null, added: [], updated: [traceId] })
    },
    raw: (traceId: string, choice: { source?: string | undefined; all?: boolean | undefined }) =>
      rawOf(dirOf(store.require(traceId)), traceId, choice),

    /** Recomputes costs after the prices changed; at most 200 sessions per transaction. */
    async recomputeCosts(): Promise<void> {
      const selectBatch = db.prepare<[number, number], { no: number; id: string; tokens_by_model: string; cost_usd: number | null }>(
        'SELECT t.no, t.id, t.cost_usd, d.tokens_by_model FROM traces t JOIN trace_details d ON d.trace = t.no WHERE t.no > ? ORDER BY t.no LIMIT ?',
      )
      for (let rows = selectBatch.all(0, COSTS_AT_A_TIME); rows.length; rows = selectBatch.all(rows.at(-1)!.no, COSTS_AT_A_TIME)) {
        tx(() => {
          const updated: string[] = []
          for (const row of rows) {
            const cost = costOf(JSON.parse(row.tokens_by_model) as Record<string, ModelUsage>, deps.prices())
            if (cost === row.cost_usd) continue
            store.setCost(row.no, cost)
            updated.push(row.id)
          }
          if (updated.length) events.append('trace:batch', { jobId: null, added: [], updated })
        })
        await nextTurn()
      }
    },

    rebuild: (context: Parameters<typeof rebuild>[4]) => rebuild(core, store, search, deps.capture, context),

    async close(): Promise<void> {
      sessions.close()
      await deriving.close()
      await search.close()
    },
  }
}

/** Errors lose their class between threads; a damaged archive has its code in the cause. */
function withErrorCode(error: unknown): unknown {
  const code = error instanceof Error ? ((error.cause as { code?: unknown } | undefined)?.code ?? null) : null
  return code === 'archive_damaged' ? new AppError('archive_damaged', { message: (error as Error).message, cause: error }) : error
}

const toSource = (source: ArchivedSource): ArchiveSource => ({
  name: source.name,
  kind: source.kind,
  originalPath: source.originalPath,
  generation: source.generation,
  bytes: source.bytes,
  sha256: source.sha256,
  archivedAt: source.archivedAt,
})
