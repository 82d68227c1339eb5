import type { AnswerMetric } from '#contracts/entities/answer.ts'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { CapReached, createLedger, metered, ProviderError, withRetries } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import { performEach } from '#server/runs/pool.ts'
import { ModelLost } from '../exam/ask.ts'
import type { ExamModels, OpenModel } from '../exam/models.ts'
import { checkCase } from './check-case.ts'
import { COMPARISON, INJECTED, unitsOf } from './figures.ts'
import { type Grade, grade, keyOf, type Question } from './grade.ts'
import { comparisonRubric } from './rubrics.ts'
import { selfTestQuestion } from './self-test.ts'
import { ANSWER, type AnswerStore, type GradeRow, type ItemRow, type RunRow, SELF_TEST, type Unit } from './store.ts'

/** Failures in a row that end a run: the endpoint is gone. */
const MAX_FAILURES = 5
/** Requests at once to an endpoint of others; a model on this machine gets one at a time. */
const PLACES_OUTSIDE = 4

export interface PerformDeps {
  core: Pick<Core, 'tx' | 'workers'>
  store: AnswerStore
  models: ExamModels
  firstWaitMs?: number | undefined
  progressed: (id: string) => void
  onGraded: (row: RunRow, item: ItemRow) => void
}

/** A pass would be one still, but counting passes only would raise the rate. */
const NOT_ASKED = {
  verdict: 'not_scored' as const,
  why: 'Not verified: parts of the prompt were replaced before it was sent, and the check is for the prompt as you wrote it.',
}

class EndpointGone extends Error {}

/** The question of a unit; null if its session was deleted, or there is no answer to grade. */
export function questionOf(row: RunRow, item: ItemRow | null, { itemNo, metric, repeat }: Unit): Question | null {
  if (metric === SELF_TEST) return selfTestQuestion(itemNo === INJECTED)
  if (item === null || item.response === null) return null
  const { prompt: request, response, other } = item
  if (metric === COMPARISON) {
    if (other === null) return null
    const [first, second] = repeat === 0 ? [response, other] : [other, response]
    return { rubric: comparisonRubric, material: { request, first, second }, repeat: 0 }
  }
  const rubric = metric === 'rubric' ? item.rubric : (row.facts.rubrics[metric as AnswerMetric]?.body ?? null)
  return rubric && { rubric, material: { request, answer: response }, repeat }
}

/** Asks what was not asked yet. Returns why it stopped early, or null. Throws the reason of `signal`. */
export async function perform(
  { core, store, models, firstWaitMs, progressed, onGraded }: PerformDeps,
  row: RunRow,
  { signal }: { signal: AbortSignal },
): Promise<string | null> {
  const { request, facts } = row
  /** Of cases whose prompt is not the one that the check was written for. */
  const replaced = facts.replaced && new Set(facts.replaced)
  progressed(row.id) // it no longer waits
  const had = new Set(store.grades(row).map(unitKey))
  const missing = unitsOf({ ...row, hasModel: request.model !== undefined }, store.outline(row)).filter((unit) => !had.has(unitKey(unit)))
  const ledger = createLedger({
    caps: { costUsd: request.maxCostUsd ?? null },
    before: row.charged,
    save: (charged) => store.setCharged(row.id, charged),
  })
  const opened: OpenModel[] = []
  const open = async (model: ExamModel) => {
    const one = await models.open(model, signal)
    opened.push(one)
    return { ...one, ask: metered(one, { ledger, price: models.find(model).price }) }
  }
  let failures = 0
  const end = (unit: Unit, found: Grade & { isCached: boolean }, key: string | null, also: () => void = () => undefined): void => {
    core.tx(() => {
      also()
      store.addGrade(row, { ...unit, ...found } satisfies GradeRow, key)
      if (key !== null) store.addKnown(key, found)
    })
    progressed(row.id)
    failures = found.isOwed ? failures + 1 : 0
    if (failures >= MAX_FAILURES)
      throw new EndpointGone(`The last ${failures} requests got no answer: ${found.error} Start the run again when the model answers.`)
  }
  const answerCase = async (unit: Unit, answerer: Awaited<ReturnType<typeof open>>, stop: AbortSignal): Promise<void> => {
    const item = store.item(row, unit.itemNo)
    if (item === null) return
    const { prompt, system, check } = item
    const none = { raw: null, reasoning: null, evidence: [], isCached: false }
    try {
      const asked = {
        model: answerer.model,
        ...(system !== null && { system }),
        messages: [{ role: 'user' as const, content: prompt }],
        maxTokens: request.maxTokens,
        temperature: 0,
      }
      const { text, stopped } = await withRetries(() => answerer.ask(asked, stop), {
        signal: stop,
        ...(firstWaitMs !== undefined && { firstWaitMs }),
      })
      const isReplaced = check !== null && (replaced?.has(item.no) ?? Object.keys(item.findings).length > 0)
      const checked = isReplaced ? NOT_ASKED : await checkCase(check, text, { workers: core.workers, signal: stop })
      const error = stopped === 'length' ? 'The answer was cut off at its length.' : null
      end(unit, { ...none, text, error, isOwed: false }, null, () => store.answer(row, item, { response: text, ...checked }))
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof ProviderError)) throw error
      if (error.kind === 'unauthorized') throw new ModelLost(`${error.message} ${error.hint}`)
      end(unit, { ...none, text: null, error: error.message, isOwed: true }, null)
    }
  }
  const gradeUnit = async (unit: Unit, grader: Awaited<ReturnType<typeof open>>, stop: AbortSignal): Promise<void> => {
    const item = unit.metric === SELF_TEST ? null : store.item(row, unit.itemNo)
    if (unit.metric !== SELF_TEST && item === null) return // its session was deleted meanwhile
    const question = questionOf(row, item, unit)
    if (question === null)
      return end(
        unit,
        { raw: null, reasoning: null, evidence: [], text: null, error: 'The case was not answered.', isOwed: true, isCached: false },
        null,
      )
    const key = keyOf(question, facts.model!)
    const known = key === null ? null : store.known(key)
    const found = known ?? (await grade(question, { open: grader, firstWaitMs, signal: stop }))
    end(unit, { ...found, isCached: known !== null }, key)
    if (item !== null) onGraded(row, item)
  }
  try {
    const cases = missing.filter(({ metric }) => metric === ANSWER)
    if (cases.length > 0 && request.source.kind === 'set') {
      const answerer = await open(request.source.answerer)
      await performEach(cases, { places: placesFor(models, request.source.answerer), signal }, (unit, stop) =>
        answerCase(unit, answerer, stop),
      )
    }
    const graded = missing.filter(({ metric }) => metric !== ANSWER)
    if (graded.length > 0 && request.model) {
      const grader = await open(request.model)
      await performEach(graded, { places: placesFor(models, request.model), signal }, (unit, stop) => gradeUnit(unit, grader, stop))
    }
    return null
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CapReached || error instanceof ModelLost || error instanceof EndpointGone) return error.message
    throw error
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
}

const placesFor = (models: ExamModels, model: ExamModel) => () => (models.find(model).isOutside ? PLACES_OUTSIDE : 1)
const unitKey = ({ itemNo, metric, repeat }: Unit): string => `${itemNo} ${metric} ${repeat}`
