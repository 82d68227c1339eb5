import { CapReached, createLedger, metered } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import { createPool } from '#server/runs/pool.ts'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { ModelLost, type ReadCalls } from '../exam/ask.ts'
import type { ExamModels } from '../exam/models.ts'
import { askOnce } from './ask.ts'
import { type Item, verdictOf } from './judge-answer.ts'
import type { ProgramEnd, ProgramRunner } from './sandbox.ts'
import { benchmarkOf, readingOf } from './sets/index.ts'
import type { Program } from './sets/types.ts'
import type { BenchmarkStore, Place, RunRow, Verdict } from './store.ts'

export interface PerformDeps {
  core: Pick<Core, 'tx'>
  store: BenchmarkStore
  models: ExamModels
  programs: ProgramRunner
  readCalls: ReadCalls
  firstWaitMs?: number | undefined
  onVerdict: (verdict: Verdict) => void
}

/** Failures in a row that end a run: the endpoint is gone. */
const MAX_FAILURES = 10
export const SAMPLED = { temperature: 0.8, topP: 0.95 }

/** The model that a request names. */
export const modelOf = ({ model, modelId }: Pick<RunRow['request'], 'model' | 'modelId'>): ExamModel =>
  model ?? { kind: 'model', model: modelId! } // a run is stored with one of both

export const itemNumbers = ({ chosen, items }: Pick<RunRow, 'chosen' | 'items'>): number[] => chosen ?? [...Array(items).keys()]

/** Asks and scores what has no verdict yet. Returns why it stopped early, or null; throws the reason of `signal`. */
export async function perform(row: RunRow, deps: PerformDeps, signal: AbortSignal): Promise<string | null> {
  const { core, store, models, programs, onVerdict } = deps
  const { request, samples } = row
  const reading = readingOf(row.benchmark)
  const { about } = benchmarkOf(row.benchmark)
  const wanted = modelOf(request)
  const timeoutMs = request.timeout * 1000
  const ledger = createLedger({
    caps: { costUsd: request.maxCostUsd ?? null },
    before: row.charged,
    save: (charged) => store.change(row.id, { charged }),
  })
  if (about.runsCode) store.change(row.id, { versions: { ...row.versions, python: await programs.version() } })
  const opened = await models.open(wanted, signal)
  const model = { ...opened, ask: metered(opened, { ledger, price: models.find(wanted).price }) }
  const isGreedy = (request.temperature ?? (samples === 1 ? 0 : SAMPLED.temperature)) === 0
  const samplingOf = (sample: number) => ({
    maxTokens: request.maxTokens ?? about.maxTokens,
    temperature: isGreedy ? 0 : (request.temperature ?? SAMPLED.temperature),
    ...(!isGreedy && { topP: SAMPLED.topP }),
    seed: (request.seed + sample - 1) % 2_147_483_648,
  })

  /** Apart from its test; in one process with it only if the set's own solution cannot be checked otherwise either. */
  const run = async (program: Program, reference: Program | null): Promise<ProgramEnd> => {
    const ended = await programs.run(program, timeoutMs, signal)
    if (ended.end !== 'unfit') return ended
    if (reference !== null && (await programs.run(reference, timeoutMs, signal)).end !== 'unfit') return { ...ended, end: 'fail' }
    return programs.run(program, timeoutMs, signal, true)
  }

  const late: Place[] = []
  let stopped: string | null = null
  let failures = 0
  const references = new Map<number, Promise<string>>()
  /** Tries the set's own solution once, because an item that it fails says nothing about a model. */
  const brokenOf = (no: number, item: Item): Promise<string> => {
    const known = references.get(no)
    if (known) return known
    const tried = (async () => {
      const program = reading.reference?.(item.row) ?? null
      if (program === null || item.broken !== null) return item.broken ?? ''
      let ended = await run(program, null)
      if (ended.end === 'timeout') ended = await run(program, null)
      if (ended.end === 'error') throw new SandboxFailed(ended.reason ?? '')
      const broken = ended.end === 'pass' ? '' : (ended.reason ?? 'no reason')
      core.tx(() => store.setBroken(row.setNo, no, broken))
      return broken
    })()
    references.set(no, tried)
    tried.catch(() => references.delete(no)) // tried again with the next answer
    return tried
  }
  const save = (place: Place, verdict: Verdict): void => {
    core.tx(() => store.addVerdict(row, place, verdict))
    onVerdict(verdict)
  }
  const score = async (place: Place, isAlone: boolean): Promise<void> => {
    const item = store.item(row.setNo, place.itemNo)!
    const answer = store.answer(row, place)!
    try {
      const broken = about.runsCode && answer.text !== null ? await brokenOf(place.itemNo, item) : item.broken
      const verdict = await verdictOf(reading, { ...item, broken }, answer, async (program) => {
        const ended = await run(program, reading.reference?.(item.row) ?? null)
        return ended.end === 'timeout' && !isAlone ? null : ended
      })
      if (verdict) save(place, verdict)
      else late.push(place)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof SandboxFailed)) throw error
      save(place, { verdict: 'error', reason: error.message, extracted: null, suspicious: null, mark: null })
    }
  }
  const ask = async (place: Place, stop: AbortSignal): Promise<boolean> => {
    const item = store.item(row.setNo, place.itemNo)!
    try {
      const answer = await askOnce(
        reading.ask(item.row, item.id),
        item.row,
        { ...deps, model, reading, sampling: samplingOf(place.sample) },
        stop,
      )
      core.tx(() => store.addAnswer(row, place, answer))
      failures = answer.text === null ? failures + 1 : 0
      if (failures >= MAX_FAILURES)
        stopped ??= `The last ${failures} requests to ${row.label} got no answer: ${answer.error} Resume the run when the model answers again.`
      return true
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof CapReached) && !(error instanceof ModelLost)) throw error
      stopped ??= error.message
      return false
    }
  }

  const places = missingPlaces(row, store)
  try {
    const pool = createPool<Place>({
      next: () => (stopped === null ? (places.next().value ?? null) : null),
      places: () => request.parallel,
      async perform(place, stop) {
        if (store.answer(row, place) === null && !(await ask(place, stop))) return
        await score(place, false)
      },
      signal,
    })
    await pool.done
    for (const place of late) await score(place, true)
    return stopped
  } finally {
    await opened.close()
  }
}

class SandboxFailed extends Error {}

/** All first answers, then all second ones; without those that have a verdict. */
function* missingPlaces(run: RunRow, store: BenchmarkStore): Generator<Place, undefined> {
  const known = new Set(store.verdicts(run).map(({ itemNo, sample }) => `${itemNo} ${sample}`))
  const numbers = itemNumbers(run)
  for (let sample = 1; sample <= run.samples; sample += 1)
    for (const itemNo of numbers) if (!known.has(`${itemNo} ${sample}`)) yield { itemNo, sample }
  return undefined
}
