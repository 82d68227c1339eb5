import type { ExamRunPlan, ExamRunRequest } from '#contracts/entities/exam.ts'
import { TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { requestCost } from '#server/prices/request-cost.ts'
import { sum } from '#server/statistics/means.ts'
import type { AgentRuns } from '../../agents/index.ts'
import { endpointOf } from '../solved/perform.ts'
import { smallestEffect } from './decide.ts'
import type { ExamModels } from './models.ts'
import type { ExamRow, ExamStore, RunRow } from './store.ts'

export interface PlanDeps {
  store: ExamStore
  models: ExamModels
  agents: AgentRuns
  /** How many sessions of an exam a model of the registry was trained on, with forks and rows that are nearly the same; `isWhole`: all is known. */
  seenBy: (modelId: string, examNo: number) => Promise<{ sessions: number; isWhole: boolean }>
}

export interface PlannedRun {
  plan: ExamRunPlan
  request: ExamRunRequest
  sides: RunRow['sides']
  isPriced: boolean
}

const ESTIMATED_CHARS_PER_TOKEN = 3.6

/** What a run would ask of whom, what it costs, and what keeps it from starting. */
export function createPlanner({ store, models, agents, seenBy }: PlanDeps) {
  /** What would keep the agents of both sides from starting. */
  const refusalsOfAgents = async (request: ExamRunRequest): Promise<ExamRunPlan['refusals']> => {
    const found = new Map<string, ExamRunPlan['refusals'][number]>()
    for (const side of ['model', 'base'] as const) {
      const { endpoint, model } = endpointOf(request, side)
      const task = TaskRequest.parse({ prompt: 'a task', agent: request.agent, endpoint, ...(model !== undefined && { model }) })
      for (const one of (await agents.plan(task)).refusals) found.set(one.message, one)
    }
    return [...found.values()]
  }
  return async (exam: ExamRow, asked: ExamRunRequest, isReading = false): Promise<PlannedRun> => {
    const against = isReading
      ? asked.model
      : (asked.against ?? (asked.model.kind === 'model' ? { kind: 'base' as const, model: asked.model.model } : undefined))
    if (against === undefined)
      throw new AppError('exam_run_refused', {
        message: 'This model has no base here to compare it with.',
        hint: 'Name the other model: `against`.',
      })
    const [model, base] = [models.find(asked.model), models.find(against)]
    const { items, sessions } = store.sizes(exam.no)
    const refusals: ExamRunPlan['refusals'] = []
    const notes: string[] = []
    for (const one of [model, base]) if (one.missing) refusals.push(one.missing)
    const price = (one: typeof model) => (one.isOutside || one.price !== null ? one.price : { inputPerMTok: 0, outputPerMTok: 0 })
    const prices = { model: price(model), base: price(base) }
    if (asked.maxCostUsd !== undefined)
      for (const [side, label] of [
        [prices.model, model.label],
        [prices.base, base.label],
      ] as const)
        if (side === null)
          refusals.push({
            message: `The price of ${label} is not known, so the cost limit cannot be enforced.`,
            hint: 'Remove the limit, or enter the price under Settings → Prices.',
          })
    if (asked.model.kind === 'model') {
      const seen = await seenBy(asked.model.model, exam.no)
      if (seen.sessions > 0)
        refusals.push({
          message: `${model.label} was trained on ${seen.sessions} of the ${sessions} sessions of this exam, so it may know the answers.`,
          hint: 'Make an exam from sessions that this model has not seen.',
        })
      else if (!seen.isWhole) notes.push('Not verified: this model was also trained on files whose sessions are not known here.')
    } else notes.push('Not verified: what this model was trained on is not known here.')
    const isTasks = exam.kind === 'solved_tasks'
    if (exam.state !== 'ready') refusals.push({ message: 'This exam is not made yet.', hint: 'Wait until it is, or resume it.' })
    else if (items === 0) refusals.push({ message: 'This exam has no items.', hint: 'Its page says why sessions fell out.' })
    if (isTasks) refusals.push(...(await refusalsOfAgents({ ...asked, against })))
    const inputTokens = Math.ceil(store.chars(exam.no) / ESTIMATED_CHARS_PER_TOKEN)
    const most = { input: inputTokens, output: items * asked.maxTokens }
    const costs = (isReading ? [prices.model] : [prices.model, prices.base]).map((one) => requestCost(one, most))
    const sides = costs.length
    const side = (one: typeof model): ExamRunPlan['model'] => ({
      label: one.label,
      payer: one.payer,
      receiver: one.receiver,
      price: one.price && { inputPerMTok: one.price.inputPerMTok, outputPerMTok: one.price.outputPerMTok },
    })
    const smallest = smallestEffect(sessions)
    return {
      request: { ...asked, against },
      sides: { model: model.identity, base: base.identity, labels: { model: model.label, base: base.label } },
      isPriced: costs.every((cost) => cost !== null),
      plan: {
        model: side(model),
        against: side(base),
        items,
        ...(isTasks
          ? {
              requests: sides * items * asked.attempts,
              inputTokens: null,
              mostOutputTokens: null,
              mostUsd: asked.maxCostUsd ?? mostOfFree(costs),
            }
          : {
              requests: sides * items,
              inputTokens: sides * inputTokens,
              mostOutputTokens: sides * most.output,
              mostUsd: costs.every((cost) => cost !== null) ? sum(costs) : null,
            }),
        smallest,
        notes,
        refusals,
      },
    }
  }
}

/** Nothing is paid for models on this machine. */
const mostOfFree = (costs: readonly (number | null)[]): number | null => (costs.every((cost) => cost === 0) ? 0 : null)
