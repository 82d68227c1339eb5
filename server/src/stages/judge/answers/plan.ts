import type { AnswerRun } from '#contracts/entities/answer.ts'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import { requestCost } from '#server/prices/request-cost.ts'
import type { ExamModels } from '../exam/models.ts'
import { unitsOf } from './figures.ts'
import { charsOf, mostTokens } from './grade.ts'
import { comparisonRubric } from './rubrics.ts'
import { ANSWER, type AnswerStore, type RunRow, type Unit } from './store.ts'

const ESTIMATED_CHARS_PER_TOKEN = 3.6
const SELF_TEST_CHARS = 600

type Outline = ReturnType<AnswerStore['outline']>

/** The price of a model; a model on this machine costs nothing. Null: unknown. */
export function priceIn(models: ExamModels, model: ExamModel) {
  const found = models.find(model)
  return found.isOutside || found.price !== null ? found.price : { inputPerMTok: 0, outputPerMTok: 0 }
}

/** Why a model cannot be asked. */
export function refusalsOf(models: ExamModels, model: ExamModel, maxCostUsd: number | undefined) {
  const found = models.find(model)
  if (found.missing) return [found.missing]
  if (maxCostUsd === undefined || priceIn(models, model) !== null) return []
  const message = `The price of ${found.label} is not known, so the cost limit cannot be enforced.`
  return [{ message, hint: 'Remove the limit, or enter the price under Settings → Prices.' }]
}

/** The models that a run asks. */
export const modelsOf = ({ model, source }: RunRow['request']): ExamModel[] => [
  ...(model ? [model] : []),
  ...(source.kind === 'set' ? [source.answerer] : []),
]

/** What is still to be sent, to whom, and what it costs at most. */
export function planOf(row: RunRow, { store, models }: { store: AnswerStore; models: ExamModels }): AnswerRun['plan'] {
  const { request, facts } = row
  const outline = store.outline(row)
  const had = new Set(store.grades(row).map(keyOfUnit))
  const left = unitsOf({ ...row, hasModel: request.model !== undefined }, outline).filter((unit) => !had.has(keyOfUnit(unit)))
  const answered = left.filter(({ metric }) => metric === ANSWER)
  const graded = left.filter(({ metric }) => metric !== ANSWER)
  const sides = [
    ...(request.source.kind === 'set' ? [{ model: request.source.answerer, units: answered, output: request.maxTokens }] : []),
    ...(request.model ? [{ model: request.model, units: graded, output: mostTokens }] : []),
  ]
  const charsOfUnit = charsIn(outline, request.maxTokens)
  const planned = sides.map(({ model, units, output }) => {
    const chars = units.reduce((sum, unit) => sum + charsOfUnit(unit), 0)
    const tokens = { input: Math.ceil(chars / ESTIMATED_CHARS_PER_TOKEN), output: units.length * output }
    const price = orNull(() => priceIn(models, model))
    return { ...tokens, usd: requestCost(price, tokens), requests: units.length, found: orNull(() => models.find(model)) }
  })
  const sumOf = (of: (one: (typeof planned)[number]) => number) => planned.reduce((sum, one) => sum + of(one), 0)
  const together = (of: (found: ReturnType<ExamModels['find']>) => string) =>
    [...new Set(planned.flatMap(({ found }) => (found ? of(found) : [])))].join(' ') || null
  return {
    requests: sumOf(({ requests }) => requests),
    inputTokens: sumOf(({ input }) => input),
    mostOutputTokens: sumOf(({ output }) => output),
    mostUsd: planned.every(({ usd }) => usd !== null) ? sumOf(({ usd }) => usd ?? 0) : null,
    payer: together(({ payer }) => payer),
    receiver: together(({ receiver }) => receiver),
    findings: findingsOf(outline),
    leftOut: facts.leftOut,
  }
}

const keyOfUnit = ({ itemNo, metric, repeat }: Unit): string => `${itemNo} ${metric} ${repeat}`

function charsIn(outline: Outline, answerTokens: number): (unit: Unit) => number {
  const sizes = new Map(outline.map((item) => [item.no, item]))
  const overhead = charsOf({ rubric: comparisonRubric, material: { request: '', answer: '' }, repeat: 0 })
  return ({ itemNo, metric }) => {
    const size = sizes.get(itemNo)
    if (!size) return SELF_TEST_CHARS + overhead
    if (metric === ANSWER) return size.promptChars
    return size.promptChars + (size.answerChars ?? answerTokens * ESTIMATED_CHARS_PER_TOKEN) + (size.otherChars ?? 0) + overhead
  }
}

function findingsOf(outline: Outline): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { findings } of outline)
    for (const [type, count] of Object.entries(findings)) counts.set(type, (counts.get(type) ?? 0) + count)
  return Object.fromEntries(counts)
}

/** Null if the model no longer exists. */
function orNull<T>(find: () => T): T | null {
  try {
    return find()
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
