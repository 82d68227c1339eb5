import { ExamRunRequest } from '#contracts/entities/exam.ts'
import {
  type ReadingReason,
  type Thermometer,
  type ThermometerPlan,
  type ThermometerReading,
  ThermometerRequest,
} from '#contracts/entities/thermometer.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { sentenceOf, throwFirst } from '#server/refusals.ts'
import type { Exams } from '../exam/service.ts'
import { figuresOf } from './figures.ts'
import { dueReason, newsIn, nextDate, type Used, withUsed } from './schedule.ts'
import { createThermometerStore, type Reading, type State } from './store.ts'

export interface ThermometerDeps {
  exams: Pick<Exams, 'store' | 'models' | 'runs'>
  /** Sessions of the user with Claude Code, the newest first. */
  newestSessions: () => Promise<Trace[]>
}

/** When a reading that is due is looked for, and one that could not start is tried again. */
const CHECK_MS = 3600_000
/** A month has at most five dates of a week. */
const MOST_PER_MONTH = { week: 5, month: 1, never: 0 } as const

/** Readings of one model by an exam, on a schedule. Off until the user switches it on. */
export function createThermometer(core: Pick<Core, 'db' | 'tx' | 'events' | 'log' | 'now'>, { exams, newestSessions }: ThermometerDeps) {
  const { tx, events, log, now } = core
  const store = createThermometerStore(core.db)
  let timer: NodeJS.Timeout | undefined
  let unfollow = (): void => undefined
  /** One after the other, so that two causes at the same time start one reading. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work, work)
    last = done.catch(() => undefined)
    return done
  }

  const save = (state: State): void => {
    tx(() => store.write(state))
    events.passing('thermometer:changed', { isOn: state.isOn })
  }
  const view = (): Thermometer => {
    const state = store.read()
    if (state === null) return { isOn: false, request: null, nextAt: null, problem: null }
    const { isOn, request, lastAt, problem } = state
    return { isOn, request, nextAt: isOn ? isoOf(nextDate(request.every, lastAt)) : null, problem }
  }
  const readingView = (reading: Reading): ThermometerReading => {
    const row = exams.store.requireRun(reading.runId)
    const run = exams.runs.view(row)
    const earlier = row.earlier === null ? null : store.of(row.earlier)
    const isActive = run.state === 'queued' || run.state === 'running'
    const { level, change } = isActive ? { level: null, change: null } : figuresOf(exams.runs.pairs(row))
    const notes: string[] = []
    if (isActive) notes.push('It is being taken.')
    else if (earlier === null) notes.push('The first reading of this kind: there is nothing to compare it with.')
    else {
      const before = exams.runs.view(exams.store.requireRun(earlier.runId))
      if (change === null) notes.push('It has no item with the reading before in common, so they are not compared.')
      else if (change.items < Math.max(run.items, before.items))
        notes.push(`Compared on the ${change.items} items that both have: this reading has ${run.items}, the one before ${before.items}.`)
      if (run.model.id !== before.model.id) notes.push(`The model was ${before.labels.model} before.`)
      if (reading.client !== earlier.client) notes.push(`Claude Code was ${earlier.client ?? 'unknown'} before.`)
    }
    return {
      run,
      id: run.id,
      reason: reading.reason,
      at: isoOf(reading.at),
      client: reading.client,
      level,
      change: change && earlier && { ...change, earlier: earlier.runId, at: isoOf(earlier.at) },
      notes,
    }
  }

  const askedOf = (request: ThermometerRequest, used: readonly Used[]): ExamRunRequest => {
    const asked = ExamRunRequest.parse(request)
    const { model } = asked
    if (!request.newestModel || model.kind !== 'provider') return asked
    const name = used.flatMap(({ models }) => models.slice(0, 1)).find((one) => one.startsWith('claude') || model.provider !== 'anthropic')
    return name === undefined ? asked : { ...asked, model: { ...model, model: name } }
  }
  const usedSince = async (at: number): Promise<Used[]> =>
    (await newestSessions()).flatMap(({ startedAt, clientVersion: client, models }) =>
      startedAt !== null && Date.parse(startedAt) >= at ? [{ client, models }] : [],
    )
  const plan = async (request: ThermometerRequest): Promise<ThermometerPlan> => {
    const asked = askedOf(request, await usedSince(0))
    const { against: _, ...planned } = await exams.runs.planReading(request.exam, asked)
    const refusals = [...planned.refusals]
    if (request.maxCostUsd === undefined && exams.models.find(asked.model).isOutside)
      refusals.push({ message: 'A model outside this machine needs a cost limit for each reading.', hint: 'Enter one.' })
    if (request.newestModel && request.model.kind !== 'provider')
      refusals.push({ message: 'Only a provider can be asked for the model of your newest session.', hint: 'Name a model instead.' })
    const { mostUsd } = planned
    return {
      ...planned,
      mostUsd:
        request.maxCostUsd === undefined || mostUsd === null
          ? (mostUsd ?? request.maxCostUsd ?? null)
          : Math.min(mostUsd, request.maxCostUsd),
      mostPerMonth: MOST_PER_MONTH[request.every],
      refusals,
    }
  }

  /** Starts a reading. The date is stored with it, so that no restart takes it twice. */
  const begin = async (state: State, reason: ReadingReason): Promise<void> => {
    const newest = await usedSince(0)
    throwFirst('exam_run_refused', (await plan(state.request)).refusals)
    const asked = askedOf(state.request, newest)
    const series = seriesOf(asked)
    const earlier = store.lastOf(series)
    await exams.runs.startReading(state.request.exam, asked, earlier && exams.store.requireRun(earlier.runId), ({ no }) => {
      const at = now()
      store.add({ runNo: no, reason, client: newest[0]?.client ?? null, series, at })
      store.write({ ...state, seen: withUsed(state.seen, newest), lastAt: at, problem: null })
    })
    events.passing('thermometer:changed', { isOn: state.isOn })
  }
  const check = (): Promise<void> =>
    inTurn(async () => {
      const state = store.read()
      if (!state?.isOn || store.isActive()) return
      if (state.lastAt > now()) return save({ ...state, lastAt: now() }) // the clock was put back
      const news = newsIn(state.request, state.seen, await usedSince(state.onAt))
      const reason = dueReason(state.request, { lastAt: state.lastAt, now: now(), news })
      if (reason === null) return
      try {
        await begin(state, reason)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        save({ ...state, problem: sentenceOf(error) })
      }
    })
  const checkSoon = (): void => void check().catch((error: unknown) => log.error({ err: error }, 'The thermometer could not be read'))

  return {
    store,
    get: view,
    plan,
    on: (request: ThermometerRequest): Promise<Thermometer> =>
      inTurn(async () => {
        const before = store.read()
        const used = await usedSince(0)
        if (before?.isOn && (store.isActive() || isSameAsked(before.request, request))) {
          throwFirst('exam_run_refused', (await plan(request)).refusals)
          save({ ...before, request, problem: null })
        } else {
          const at = now()
          const seen = withUsed({ clients: [], models: [] }, used)
          await begin({ isOn: true, request, seen, onAt: at, lastAt: at, problem: null }, 'on')
        }
        return view()
      }),
    off(): Thermometer {
      const state = store.read()
      if (state) save({ ...state, isOn: false, problem: null })
      return view()
    },
    read: (): Promise<ThermometerReading> =>
      inTurn(async () => {
        const state = store.read()
        if (!state?.isOn) throw new AppError('thermometer_off')
        if (store.isActive()) throw new AppError('exam_run_active')
        await begin(state, 'user')
        return readingView(store.list(undefined, 1).items[0]!)
      }),
    list(cursor: string | undefined, limit: number) {
      const { items, ...page } = store.list(cursor, limit)
      return { items: items.map(readingView), ...page }
    },
    open({ watch }: { watch: boolean }): void {
      if (!watch) return
      unfollow = events.subscribe(({ type, payload }) => {
        const isNews =
          type === 'trace:batch' || ((type === 'trace:added' || type === 'trace:updated') && isUnseen(store.read(), payload.trace))
        if (isNews) checkSoon()
      })
      timer = setInterval(checkSoon, CHECK_MS).unref()
      checkSoon()
    },
    async close(): Promise<void> {
      unfollow()
      clearInterval(timer)
      await last
    },
  }
}

const isSameAsked = (a: ThermometerRequest, b: ThermometerRequest): boolean =>
  JSON.stringify(ASKED.parse(a)) === JSON.stringify(ASKED.parse(b))
/** What a reading asks; the rest is when. */
const ASKED = ThermometerRequest.omit({ every: true, afterClient: true, afterModel: true, maxCostUsd: true })

/** Readings with the same are compared: everything that is asked, but not the name of the model at its place, and not the cost limit. */
function seriesOf(request: ExamRunRequest): string {
  const { model } = request
  const place = model.kind === 'provider' ? model.provider : model.kind === 'url' ? model.baseUrl : model.model
  return JSON.stringify({ ...SERIES.parse(request), kind: model.kind, place })
}
const SERIES = ExamRunRequest.omit({ model: true, against: true, maxCostUsd: true })

const isUnseen = (state: State | null, { clientVersion: client, models }: Trace): boolean =>
  state !== null && state.isOn && newsIn(state.request, state.seen, [{ client, models }]) !== null
