import type { DatasetKind } from '#contracts/entities/dataset.ts'
import type { LoopAction } from '#contracts/entities/loop.ts'
import { plural } from '#contracts/plural.ts'
import { STRATEGY_OF } from '#contracts/train-on-this.ts'

interface Sessions {
  count: number
  /** Lists them, in the filter language. */
  query: string
}

/** What the rules decide by. */
export interface LoopFacts {
  /** Results of agents that wait for a review; `only`: its id if it is one. */
  results: { count: number; only: string | null }
  /** Good sessions that no data set has and no exam holds out. */
  good: Sessions
  dataSets: number
  newestDataSet: { id: string; kind: DatasetKind; name: string } | null
  /** Good sessions in a data set that no model was trained on. */
  untrained: Sessions
  models: number
  isTraining: boolean
  /** The newest model, with its newest run of an exam. */
  newestModel: { id: string; name: string; hasVerdict: boolean; run: { id: string; examId: string; state: string } | null } | null
  /** A proven model that was neither exported nor tried. */
  unused: { id: string; name: string } | null
  /** Sessions that the policy could not decide, or has no check for. */
  unsure: Sessions
}

/** From this many new good sessions on, a new data set and a new run are worth their time. */
export const ENOUGH_NEW = 50

type Rule = (facts: LoopFacts) => LoopAction | null

export const review: Rule = ({ results: { count, only } }) =>
  count === 0
    ? null
    : {
        rule: 'review',
        title: count === 1 ? 'Review the result of an agent' : `Review the results of ${count} agents`,
        detail: 'Their checks passed, and their changes wait for you.',
        action: 'Review',
        href: only === null ? '/agents?state=yours' : `/agents/tasks/${only}`,
        count,
      }

export const build: Rule = ({ good: { count, query }, dataSets }) =>
  count < (dataSets === 0 ? 1 : ENOUGH_NEW)
    ? null
    : {
        rule: 'build',
        title: `Build a data set from ${plural(count, 'session')}`,
        detail: dataSets === 0 ? 'You have good sessions, and no data set yet.' : 'So many good sessions are in no data set.',
        action: 'Build',
        href: `/factory/datasets/new?${new URLSearchParams({ q: query, train: '1' }).toString()}`,
        count,
      }

export const train: Rule = ({ newestDataSet, untrained: { count }, models, isTraining }) => {
  if (isTraining || newestDataSet === null || (models > 0 && count < ENOUGH_NEW)) return null
  const { id, kind, name } = newestDataSet
  return {
    rule: 'train',
    title: models === 0 ? 'Train a first model' : `Train on ${plural(count, 'session')} that no model has seen`,
    detail: `The newest data set is ${name}.`,
    action: 'Train',
    href: `/training/new?dataset=${id}&strategy=${STRATEGY_OF[kind]}`,
    count: models === 0 ? null : count,
  }
}

export const prove: Rule = ({ newestModel }) => {
  if (newestModel === null || newestModel.hasVerdict) return null
  const { id, name, run } = newestModel
  if (run?.state === 'queued' || run?.state === 'running') return null
  const isTaken = run?.state === 'completed'
  return {
    rule: 'prove',
    title: `Is ${name} better?`,
    detail: isTaken ? 'It took an exam, and nobody decided it yet.' : 'No exam has compared it with the model that it was trained from.',
    action: isTaken ? 'Decide' : 'Prove it',
    href: isTaken ? `/evaluator/${run.examId}/${run.id}` : `/evaluator?model=${id}`,
    count: null,
  }
}

export const use: Rule = ({ unused }) =>
  unused && {
    rule: 'use',
    title: `Use ${unused.name}`,
    detail: 'It is proven to be better, and was neither exported nor tried yet.',
    action: 'Use it',
    href: `/models/${unused.id}`,
    count: null,
  }

export const triage: Rule = ({ unsure: { count, query } }) =>
  count === 0
    ? null
    : {
        rule: 'triage',
        title: `Decide ${plural(count, 'session')} that the policy is unsure of`,
        detail: 'No call in them has a known outcome, or no check confirms that they are gold.',
        action: 'Triage',
        href: `/traces?q=${encodeURIComponent(query)}`,
        count,
      }

/** The first rule that applies; null if nothing waits for the user. */
export const nextAction: Rule = (facts) => {
  for (const rule of [review, build, train, prove, use, triage]) {
    const action = rule(facts)
    if (action) return action
  }
  return null
}
