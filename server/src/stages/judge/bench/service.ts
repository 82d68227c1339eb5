import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type {
  Benchmark,
  BenchmarkComparison,
  BenchmarkName,
  BenchmarkResult,
  BenchmarkRow,
  BenchmarkRowDetail,
  BenchmarkRun,
  BenchmarkRunPlan,
  BenchmarkRunRequest,
  BenchmarkState,
  ModelEvaluation,
} from '#contracts/entities/benchmark.ts'
import type { Job } from '#contracts/entities/job.ts'
import type { ExamIdentity } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import type { evaluateModel, listBenchmarkRows } from '#contracts/routes/benchmarks.ts'
import { isLoopback } from '#server/adapters/tools/loopback.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { requestCost } from '#server/prices/request-cost.ts'
import { sentenceOf, throwFirst } from '#server/refusals.ts'
import { createSets } from '#server/runs/sets.ts'
import { sum } from '#server/statistics/means.ts'
import type { SharedTexts } from '../../factory/index.ts'
import type { ReadCalls } from '../exam/ask.ts'
import type { ExamModels } from '../exam/models.ts'
import { type GeneralResult, sameIdentity } from '../general.ts'
import { biasFigures, compareRuns, INTERVALS, isUsable, passFigures, shareOf } from './figures.ts'
import { filesIn, namesOf } from './files.ts'
import { createHubSets, type HubAccess } from './hub.ts'
import { itemNumbers, modelOf, perform } from './perform.ts'
import type { ItemTextsInput } from './item-texts.ts'
import type { ReadInput, ReadOutcome, ReadRows, ReadSet, RowsInput } from './read-set.job.ts'
import { createProgramRunner } from './sandbox.ts'
import { benchmarkOf, benchmarks, readingOf } from './sets/index.ts'
import type { About, PartOf } from './sets/types.ts'
import { createBenchmarkStore, type Place, type RunRow, type Verdict } from './store.ts'

export interface BenchmarkDeps {
  models: ExamModels
  hub: HubAccess
  readCalls: ReadCalls
  sharedTexts: SharedTexts
  version: string
  newId: () => string
  firstWaitMs?: number | undefined
}

const READ_SET = new URL('./read-set.job.ts', import.meta.url)
const ITEM_TEXTS = new URL('./item-texts.ts', import.meta.url).href
/** Rows that are stored before others get their turn. */
const ROWS_AT_ONCE = 250
const NAMED = 100
const CHARS_PER_TOKEN = 3.6

type RowsQuery = z.output<typeof listBenchmarkRows.query>
type Planned = Pick<RunRow, 'request' | 'label' | 'model' | 'modelId' | 'samples' | 'isPriced'> & {
  plan: BenchmarkRunPlan
  part: PartOf
  read: { set: ReadSet; input: ReadInput } | null
}

export type Benchmarks = ReturnType<typeof createBenchmarks>

const REPLACED =
  'Names, places and keys in the items are replaced before they leave this machine, as in all text. Items that are changed so are not scored.'

/** Whether the items went through the gate, which changes some of them. */
const isSentOut = ({ model }: BenchmarkRunRequest): boolean =>
  model?.kind === 'provider' || (model?.kind === 'url' && !isLoopback(URL.parse(model.baseUrl)?.hostname ?? ''))

/** Where a run has its items from. A set is known by its content, which several runs may have from different places. */
const sourceOf = ({ benchmark, files }: BenchmarkRunRequest): string => {
  const { source, hub } = benchmarkOf(benchmark).about
  return hub === null ? source : (files ?? source)
}

/** Whether two runs asked the same items with the same limits. */
const isAskedAlike = (a: RunRow, b: RunRow): boolean =>
  a.setNo === b.setNo &&
  a.samples === b.samples &&
  isSentOut(a.request) === isSentOut(b.request) &&
  isDeepStrictEqual(a.chosen, b.chosen) &&
  (['maxTokens', 'temperature', 'timeout'] as const).every((name) => a.request[name] === b.request[name])

/** Benchmarks with their sets, and runs of models on them: sets of attempts (`runs/sets.ts`) that are answers. */
export function createBenchmarks(core: Core, deps: BenchmarkDeps) {
  const { db, tx, events, workers, now } = core
  const { models, readCalls, newId, firstWaitMs, version, sharedTexts } = deps
  const store = createBenchmarkStore(db, now)
  const programs = createProgramRunner()
  const hub = createHubSets(core, deps.hub)
  /** Results of the runs that were looked at last, until they change. */
  const results = new Map<string, BenchmarkResult>()
  /** Verdicts of the runs that are under way, so that they are not counted again with each of them. */
  const counted = new Map<string, ReturnType<typeof store.counts>>()
  const countsOf = (run: RunRow) => counted.get(run.id) ?? store.counts(run)

  const titleOf = ({ benchmark, setNo, request }: RunRow): string => {
    const { about } = benchmarkOf(benchmark)
    const { part } = store.set(setNo)
    return `${about.title}${about.parts.length > 1 ? ` ${part}` : ''}${request.own ? ' (own items)' : ''}, ${about.form}`
  }
  const view = (run: RunRow): BenchmarkRun => {
    const { counts } = countsOf(run)
    const { revision, sha256, items } = store.set(run.setNo)
    const { own } = run.request
    const source = sourceOf(run.request)
    const total = run.items * run.samples
    const verdicts = sum(Object.values(counts))
    return {
      id: run.id,
      benchmark: run.benchmark,
      title: titleOf(run),
      state: run.state,
      detail: run.detail,
      request: run.request,
      label: run.label,
      model: run.model,
      set: { source, revision, sha256, items, own },
      items: run.items,
      samples: run.samples,
      counts: { ...counts },
      total,
      owed: total - verdicts + counts.error,
      value: shareOf(counts),
      costUsd: run.isPriced ? run.charged.usd : null,
      createdAt: isoOf(run.createdAt),
      endedAt: isoOf(run.endedAt),
    }
  }
  const sets = createSets(core, {
    noun: 'run of a benchmark',
    store,
    view,
    ended: ({ counts }: BenchmarkRun) => sum(Object.values(counts)),
    onState: (run) => events.append(run.state === 'stopped' ? 'benchmark:failed' : 'benchmark:complete', { run }),
    onProgress: (run) => events.passing('benchmark:progress', { run }),
    live: () => ({ wake: () => undefined }),
    lane: () => ({ name: 'benchmark', places: 1 }),
    async perform(row, { signal }) {
      if (row.contamination === null) store.change(row.id, { contamination: await contaminationOf(row, signal) })
      const known = store.counts(row)
      counted.set(row.id, known)
      const onVerdict = ({ verdict, suspicious }: Verdict) => {
        known.counts[verdict] += 1
        if (suspicious !== null) known.suspicious += 1
        sets.progressed(row.id)
      }
      try {
        return await perform(store.require(row.id), { core, store, models, programs, readCalls, firstWaitMs, onVerdict }, signal)
      } finally {
        counted.delete(row.id)
        results.delete(row.id)
      }
    },
  })

  /** Which items a model of the registry has seen in training. */
  const contaminationOf = async (run: RunRow, signal: AbortSignal): Promise<BenchmarkResult['contamination']> => {
    const of = run.items
    const unknown = (reason: string) => ({ items: null, of, named: [], reason })
    if (run.modelId === null) return unknown('What this model was trained on is not known here.')
    const { benchmark, setNo, chosen } = run
    const input: ItemTextsInput = { database: core.paths.database, benchmark, setNo, chosen }
    try {
      const { datasets, isWhole } = models.trainedOn(run.modelId)
      const found = await sharedTexts(datasets, { module: ITEM_TEXTS, input }, signal)
      const reason = isWhole ? null : 'It was also trained on files whose rows are not known here, and its base on unknown data.'
      return { items: found.length, of, named: found.slice(0, NAMED), reason: reason ?? 'What its base was trained on is not known here.' }
    } catch (error) {
      signal.throwIfAborted()
      return unknown(`Its training data could not be read: ${sentenceOf(error)}`)
    }
  }

  const resultOf = (run: RunRow): BenchmarkResult => {
    const known = results.get(run.id)
    if (known) return known
    const { about } = benchmarkOf(run.benchmark)
    const { counts, suspicious } = countsOf(run)
    const set = store.set(run.setNo)
    const headline = isUsable(counts)
    const passed = passFigures(store.verdicts(run), run.samples, run.request.passK, about.runsCode)
    const figures = headline ? [...passed, ...(run.benchmark === 'bbq' ? biasFigures(store.marks(run)) : [])] : []
    const notes: string[] = []
    if (set.revision === null) notes.push('Not verified: the version of the set, whose files are not from a pinned revision.')
    if (run.request.own) notes.push('These are own items, not the published set.')
    if (isSentOut(run.request)) notes.push(REPLACED)
    if (run.items < set.items) notes.push(`${run.items} of ${set.items} items, drawn by seed ${run.request.seed}.`)
    if (!headline && counts.error > 0) notes.push('More than 2 % of the answers are errors, so no figure is shown. Repeat what is owed.')
    const result: BenchmarkResult = {
      metric: about.metric,
      harness: about.harness,
      setVersion: set.revision,
      headline,
      figures,
      passAtK: Object.fromEntries(run.request.passK.map((k, index) => [String(k), headline ? passed[index]!.value : null])),
      interval: run.samples === 1 ? INTERVALS.one : INTERVALS.several,
      errors: counts.error,
      notScored: counts.not_scored,
      suspicious,
      durationMs: run.endedAt === null ? null : run.endedAt - run.createdAt,
      contamination: run.contamination,
      versions: run.versions,
      notes,
    }
    if (run.state !== 'running') {
      results.set(run.id, result)
      if (results.size > 16) results.delete(results.keys().next().value!)
    }
    return result
  }

  const hubFolderOf = (about: About): string | null => (about.hub === null ? null : hub.folderOf(about))
  const stateOf = (name: BenchmarkName, part: PartOf): { state: BenchmarkState; files: string | null } => {
    const { about, reading } = benchmarkOf(name)
    if (reading === null) return { state: 'not_available', files: null }
    const hubFolder = hubFolderOf(about)
    const place = [hubFolder, store.lastFiles(name, part.name)].find(
      (one) => one !== null && filesIn(one, part, one === hubFolder) !== null,
    )
    if (place != null) return { state: 'ready', files: place }
    return { state: about.hub === null ? 'needs_files' : 'can_be_fetched', files: null }
  }
  const sandboxProblem = async (): Promise<string | null> => programs.version().then(() => null, sentenceOf)

  const list = async (): Promise<Benchmark[]> => {
    const noSandbox = await sandboxProblem()
    return [...benchmarks.values()].map(({ about }) => {
      const { name, title, measures, metric, form, harness, source, revision, licence, bytes, runsCode } = about
      const parts = about.parts.map((part) => ({ name: part.name, items: part.items, ...stateOf(name, part) }))
      const isOff = about.runsCode && noSandbox !== null && parts[0]!.state !== 'not_available'
      const state: BenchmarkState = isOff ? 'not_available' : (parts.find((part) => part.state === 'ready') ?? parts[0]!).state
      const reason = isOff ? `Answers run in a sandbox only, and there is none here: ${noSandbox}` : about.reason
      const way = isOff
        ? 'Install bubblewrap.'
        : state === 'can_be_fetched'
          ? 'Fetch it, or name a folder with its files.'
          : state === 'ready'
            ? null
            : about.way
      return {
        name,
        title,
        measures,
        metric,
        form,
        harness,
        set: { source, revision, licence, bytes },
        parts,
        runsCode,
        state,
        reason,
        way,
      }
    })
  }

  const partOf = (name: BenchmarkName, part: string | undefined): PartOf => {
    const { about } = benchmarkOf(name)
    const found = part === undefined ? about.parts[0] : about.parts.find((one) => one.name === part)
    if (!found)
      throw new AppError('invalid_request', {
        message: `${about.title} has no part "${part}".`,
        hint: `Its parts: ${about.parts.map((one) => one.name).join(', ')}.`,
      })
    return found
  }

  const plan = async (asked: BenchmarkRunRequest): Promise<Planned> => {
    if ((asked.model === undefined) === (asked.modelId === undefined))
      throw new AppError('invalid_request', { message: 'Name one model: `modelId` of the registry, or `model`.' })
    const { about, reading } = benchmarkOf(asked.benchmark)
    const part = partOf(asked.benchmark, asked.part)
    const wanted = modelOf(asked)
    const model = models.find(wanted)
    const refusals: BenchmarkRunPlan['refusals'] = []
    const refuse = (message: string, hint: string | null) => void refusals.push({ message, hint })
    if (model.missing) refusals.push(model.missing)
    const most = Math.max(...asked.passK)
    const samples = asked.samplesPerItem ?? most
    if (most > samples)
      refuse(
        `pass@${most} needs at least ${most} answers to each item, and ${samples} ${samples === 1 ? 'is' : 'are'} asked.`,
        `Ask ${most} answers to each item (--samples ${most}), or leave pass@${most} out.`,
      )
    if (samples > 1 && asked.temperature === 0)
      refuse('With temperature 0 all answers to an item are alike.', 'Leave the temperature out, or ask once.')
    const priceHere = { inputPerMTok: 0, outputPerMTok: 0 }
    const price = model.isOutside || model.price !== null ? model.price : priceHere
    if (asked.maxCostUsd !== undefined && price === null)
      refuse(
        `The price of ${model.label} is not known, so the cost limit cannot be enforced.`,
        'Remove the limit, or enter the price under Settings → Prices.',
      )
    let read: Planned['read'] = null
    if (reading === null) refuse(`${about.title} cannot be run here. ${about.reason}`, about.way)
    else {
      const noSandbox = about.runsCode ? await sandboxProblem() : null
      if (noSandbox !== null) refuse(`Answers run in a sandbox only, and there is none here: ${noSandbox}`, 'Install bubblewrap.')
      const place = asked.files ?? stateOf(asked.benchmark, part).files
      const files = place === null ? null : filesIn(place, part, asked.files === undefined && place === hubFolderOf(about))
      if (files === null)
        refuse(
          place === null
            ? `The items of ${about.title} (${part.name}) are not here.`
            : `${place} has no file of ${about.title} (${part.name}).`,
          place === null
            ? (about.way ?? `Fetch them (bashgym bench fetch ${about.name}), or name a folder with them (--files).`)
            : `It should have ${namesOf(part)}.`,
        )
      else {
        const { own, numSamples: limit = null, seed } = asked
        const input: ReadInput = { benchmark: asked.benchmark, part: part.name, files, own, limit, seed }
        const found = await workers.run<ReadOutcome>(READ_SET, input, { key: keyOf(input) })
        if ('refused' in found) refusals.push(found.refused)
        else read = { set: found, input }
      }
    }
    const items = read?.set.items ?? 0
    const inputTokens = Math.ceil(((read?.set.chars ?? 0) / CHARS_PER_TOKEN) * samples)
    const mostOutputTokens = items * samples * (asked.maxTokens ?? about.maxTokens)
    const mostUsd = requestCost(price, { input: inputTokens, output: mostOutputTokens })
    const isFetched =
      read !== null && asked.files === undefined && about.hub !== null && stateOf(about.name, part).files === hubFolderOf(about)
    const notes: string[] = model.isOutside ? [REPLACED] : []
    if (asked.modelId === undefined && wanted.kind !== 'model')
      notes.push('Not verified: what this model was trained on is not known here.')
    if (items > 0 && items <= 50)
      notes.push(`${items} items tell little: the interval is up to ±${(100 * halfWidth(items)).toFixed(0)} points wide.`)
    return {
      request: { ...asked, samplesPerItem: samples, part: part.name },
      label: model.label,
      model: model.identity,
      modelId: wanted.kind === 'model' ? wanted.model : null,
      samples,
      isPriced: mostUsd !== null,
      part,
      read,
      plan: {
        label: model.label,
        payer: model.payer,
        receiver: model.receiver,
        set: read && {
          source: sourceOf(asked),
          revision: isFetched ? (about.revision ?? hub.revisionOf(about)) : null,
          sha256: read.set.sha256,
          items: read.set.count,
          own: asked.own,
        },
        items,
        requests: items * samples,
        inputTokens,
        mostOutputTokens,
        mostUsd,
        uncertainty: items === 0 ? null : halfWidth(items),
        notes,
        refusals,
      },
    }
  }

  /** Stores the items that a run asks. */
  const addSet = async (set: Parameters<typeof store.addSet>[0], { set: read, input }: NonNullable<Planned['read']>): Promise<number> => {
    const setNo = tx(() => store.addSet(set))
    if (store.isComplete(setNo)) return setNo
    for (let from = 0; from < read.items; from += ROWS_AT_ONCE) {
      const rows: RowsInput = { ...input, sha256: read.sha256, from, to: from + ROWS_AT_ONCE }
      const found = await workers.run<ReadRows>(READ_SET, rows, { key: keyOf(input) })
      if ('refused' in found) throwFirst('benchmark_refused', [found.refused])
      else tx(() => store.addItems(setNo, found))
    }
    return setNo
  }

  const start = (asked: BenchmarkRunRequest): Promise<BenchmarkRun> =>
    sets.create(asked.idempotencyKey, async () => {
      const { plan: planned, read, part, ...run } = await plan(asked)
      throwFirst('benchmark_refused', planned.refusals)
      const setNo = await addSet({ ...planned.set!, benchmark: asked.benchmark, part: part.name }, read!)
      const id = newId()
      return {
        id,
        insert() {
          store.insert(
            {
              ...run,
              id,
              benchmark: asked.benchmark,
              setNo,
              chosen: read!.set.chosen,
              items: read!.set.items,
              versions: { bashgym: version, harness: benchmarkOf(asked.benchmark).about.harness },
            },
            asked.idempotencyKey,
          )
        },
      }
    })

  const rowView = ({ itemNo: no, ...row }: ReturnType<typeof store.rows>['items'][number]): BenchmarkRow => ({ no, ...row })

  return {
    store,
    list,
    fetch(name: BenchmarkName, part: string | undefined): Job {
      const { about, reading } = benchmarkOf(name)
      const wanted = partOf(name, part)
      if (about.hub === null || reading === null)
        throw new AppError('benchmark_refused', {
          message: `${about.title} cannot be fetched from the hub.`,
          ...(about.way !== null && { hint: about.way }),
        })
      return hub.fetch(about, wanted)
    },
    plan: async (asked: BenchmarkRunRequest): Promise<BenchmarkRunPlan> => (await plan(asked)).plan,
    start,
    runs(query: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list(query)
      return { items: items.map(view), ...page }
    },
    async get(id: string, wait: Parameters<typeof sets.wait>[1]) {
      const run = await sets.wait(id, wait)
      return { ...run, result: resultOf(store.require(id)) }
    },
    rows(id: string, { only, cursor, limit }: RowsQuery) {
      const run = store.require(id)
      const filter =
        only === 'suspicious' ? { suspicious: true } : only === 'contaminated' ? { ids: run.contamination?.named ?? [] } : { verdict: only }
      const { items, ...page } = store.rows(run, filter, cursor, limit)
      return { items: items.map(rowView), ...page }
    },
    row(id: string, place: Place): BenchmarkRowDetail {
      const run = store.require(id)
      const item = itemNumbers(run).includes(place.itemNo) && place.sample <= run.samples ? store.item(run.setNo, place.itemNo) : null
      if (!item) throw new AppError('not_found', { message: 'This run has no such answer.' })
      const reading = readingOf(run.benchmark)
      const answer = store.answer(run, place)
      const verdict = store.verdict(run, place)
      const { system, messages } = reading.ask(item.row, item.id)
      const calls = (answer?.calls ?? []).map(({ name, arguments: given }) => `${name}(${given})`)
      const text = answer?.text ?? null
      const scored = text === null ? null : reading.score(item.row, { text, calls: answer!.calls }, item.id)
      return {
        no: place.itemNo,
        id: item.id,
        sample: place.sample,
        verdict: verdict?.verdict ?? null,
        answer: text === null ? null : [text, ...calls].filter((part) => part !== '').join('\n'),
        extracted: verdict?.extracted ?? null,
        reason: verdict?.reason ?? answer?.error ?? null,
        suspicious: verdict?.suspicious ?? null,
        tokens: answer?.tokens ?? null,
        ms: answer?.ms ?? null,
        prompt: [system ?? '', ...messages.map((message) => ('content' in message ? message.content : ''))]
          .filter((part) => part !== '')
          .join('\n\n'),
        expected: reading.expected(item.row),
        program: scored !== null && 'program' in scored ? `${scored.program.solution}\n${scored.program.test}` : null,
      }
    },
    /** For each published set, the two runs of these models that have the most of the same items, asked in the same way. */
    between(model: ExamIdentity, base: ExamIdentity): GeneralResult[] {
      const runs = store.done().filter((run) => !run.request.own && isUsable(countsOf(run).counts))
      const of = (one: ExamIdentity) =>
        runs.filter((run) => sameIdentity(run.model, one)).toSorted((a, b) => b.items - a.items || b.no - a.no)
      const [candidates, bases] = [of(model), of(base)]
      return [...new Set(candidates.map(({ setNo }) => setNo))].flatMap((setNo) => {
        const pair = candidates
          .filter((run) => run.setNo === setNo)
          .flatMap((mine) => bases.filter((its) => isAskedAlike(mine, its)).map((its) => [its, mine] as const))[0]
        if (!pair) return []
        const compared = compareRuns(pair.map((run) => ({ id: run.id, label: run.label, samples: run.samples, rows: store.verdicts(run) })))
        const { delta, low, high, wins, losses } = compared.runs[1]!
        return delta === null ? [] : [{ title: titleOf(pair[1]), items: compared.items, delta, low, high, discordant: wins + losses }]
      })
    },
    compare(ids: readonly string[]): BenchmarkComparison {
      const runs = ids.map((id) => store.require(id))
      const [first] = runs
      const other = runs.find(({ setNo }) => setNo !== first!.setNo)
      if (other)
        throw new AppError('benchmark_refused', {
          message: `${titleOf(first!)} and ${titleOf(other)} are not the same items, so their results cannot be compared.`,
          hint: 'Compare runs of one set and form.',
        })
      const compared = compareRuns(runs.map((run) => ({ id: run.id, label: run.label, samples: run.samples, rows: store.verdicts(run) })))
      return { benchmark: first!.benchmark, title: titleOf(first!), ...compared }
    },
    cancel: sets.cancel,
    async resume(id: string, maxCostUsd: number | undefined): Promise<BenchmarkRun> {
      const run = store.require(id)
      if (run.state === 'running') return view(run)
      const model = models.find(modelOf(run.request))
      throwFirst('benchmark_refused', model.missing ? [model.missing] : [])
      results.delete(id)
      return sets.resume(id, () => {
        store.dropErrors(run)
        if (maxCostUsd !== undefined) store.change(id, { request: { ...run.request, maxCostUsd } })
      })
    },
    async evaluate(modelId: string, { benchmarks: named, numSamples }: z.output<typeof evaluateModel.body>): Promise<ModelEvaluation> {
      models.find({ kind: 'model', model: modelId }) // throws if there is none
      const evaluation: ModelEvaluation = { runs: [], left: [] }
      for (const { name, state, reason, way, parts } of await list()) {
        if (named && !named.includes(name)) continue
        const part = parts.find((one) => one.state === 'ready')
        if (state !== 'ready' || !part) {
          evaluation.left.push({ benchmark: name, reason: reason ?? way ?? 'Its items are not here.' })
          continue
        }
        try {
          const request = { benchmark: name, modelId, part: part.name, own: false, passK: [1], timeout: 30, parallel: 4, seed: 42 }
          evaluation.runs.push(await start({ ...request, ...(numSamples !== undefined && { numSamples }) }))
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          evaluation.left.push({ benchmark: name, reason: sentenceOf(error) })
        }
      }
      return evaluation
    },
    /** What runs of a model may read. */
    rememberedFiles: (): string[] =>
      [...benchmarks.values()].flatMap(({ about }) => about.parts.flatMap(({ name }) => store.lastFiles(about.name, name) ?? [])),
    /** What a run that names no files may read. */
    remembered: ({ benchmark, part, files }: BenchmarkRunRequest): string[] => {
      if (files !== undefined) return []
      const { about } = benchmarkOf(benchmark)
      const last = store.lastFiles(benchmark, part ?? about.parts[0].name)
      return last === null ? [] : [last]
    },
    open: sets.start,
    close: sets.close,
  }
}

/** Calls with it run in one thread, which reads the files once. */
const keyOf = ({ benchmark, files }: ReadInput): string => `${benchmark} ${files.join(' ')}`

/** Half of the widest 95 % interval of a share of `n` items. */
const halfWidth = (n: number): number => 0.98 / Math.sqrt(n)
