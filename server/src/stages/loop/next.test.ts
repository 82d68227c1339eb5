import { expect, test } from 'vitest'
import { build, ENOUGH_NEW, type LoopFacts, nextAction, prove, review, train, triage, use } from './next.ts'

const nothing: LoopFacts = {
  results: { count: 0, only: null },
  good: { count: 0, query: 'good' },
  dataSets: 1,
  newestDataSet: { id: 'd', kind: 'dpo', name: 'mine v2' },
  untrained: { count: 0, query: 'untrained' },
  models: 1,
  isTraining: false,
  newestModel: { id: 'm', name: 'Mine', hasVerdict: true, run: null },
  unused: null,
  unsure: { count: 0, query: 'is:unsure' },
}
const facts = (change: Partial<LoopFacts>): LoopFacts => ({ ...nothing, ...change })

test('one result of an agent is opened, several are listed', () => {
  expect(review(nothing)).toBeNull()
  expect(review(facts({ results: { count: 1, only: 't' } }))).toMatchObject({
    href: '/agents/tasks/t',
    title: 'Review the result of an agent',
  })
  expect(review(facts({ results: { count: 3, only: null } }))).toMatchObject({ href: '/agents?state=yours', count: 3 })
})

test('the first data set is built from any good session, a later one when there are enough new ones', () => {
  const count = (sessions: number) => ({ count: sessions, query: 'tier:gold' })
  expect(build(facts({ good: count(1), dataSets: 0 }))).toMatchObject({
    title: 'Build a data set from 1 session',
    href: '/factory/datasets/new?q=tier%3Agold&train=1',
  })
  expect(build(facts({ good: count(ENOUGH_NEW - 1) }))).toBeNull()
  expect(build(facts({ good: count(ENOUGH_NEW) }))).toMatchObject({ count: ENOUGH_NEW })
})

test('the first model is trained on any data set, a later one on enough new sessions, and none while one is trained', () => {
  const untrained = { count: ENOUGH_NEW, query: '' }
  expect(train(facts({ models: 0, newestDataSet: null }))).toBeNull()
  expect(train(facts({ models: 0 }))).toMatchObject({
    title: 'Train a first model',
    href: '/training/new?dataset=d&strategy=dpo',
    count: null,
  })
  expect(train(facts({ untrained: { count: ENOUGH_NEW - 1, query: '' } }))).toBeNull()
  expect(train(facts({ untrained }))).toMatchObject({ title: 'Train on 50 sessions that no model has seen' })
  expect(train(facts({ untrained, isTraining: true }))).toBeNull()
})

test('the newest model is proven unless it was or is being examined, and an exam that it took is decided', () => {
  const newest = (run: NonNullable<LoopFacts['newestModel']>['run']) =>
    facts({ newestModel: { id: 'm', name: 'Mine', hasVerdict: false, run } })
  const run = (state: string) => newest({ id: 'r', examId: 'x', state })
  expect(prove(nothing)).toBeNull()
  expect(prove(facts({ newestModel: null }))).toBeNull()
  expect(prove(newest(null))).toMatchObject({ title: 'Is Mine better?', action: 'Prove it', href: '/evaluator?model=m' })
  expect(prove(run('running'))).toBeNull()
  expect(prove(run('completed'))).toMatchObject({ action: 'Decide', href: '/evaluator/x/r' })
  expect(prove(run('failed'))).toMatchObject({ action: 'Prove it' })
})

test('a proven model is used, and sessions that the policy is unsure of are triaged', () => {
  expect([use(nothing), triage(nothing)]).toEqual([null, null])
  expect(use(facts({ unused: { id: 'm', name: 'Mine' } }))).toMatchObject({ href: '/models/m' })
  expect(triage(facts({ unsure: { count: 2, query: 'is:unsure' } }))).toMatchObject({ href: '/traces?q=is%3Aunsure', count: 2 })
})

test('of all that applies, the step that is nearest to what agents and models have done comes first', () => {
  const all = facts({
    results: { count: 1, only: 't' },
    good: { count: 60, query: '' },
    untrained: { count: 60, query: '' },
    newestModel: { id: 'm', name: 'Mine', hasVerdict: false, run: null },
    unused: { id: 'm', name: 'Mine' },
    unsure: { count: 1, query: '' },
  })
  const order: string[] = []
  for (let left = all, action = nextAction(left); action !== null; action = nextAction(left)) {
    order.push(action.rule)
    const done = { review: 'results', build: 'good', train: 'untrained', prove: 'newestModel', use: 'unused', triage: 'unsure' } as const
    left = { ...left, [done[action.rule]]: nothing[done[action.rule]] }
  }
  expect(order).toEqual(['review', 'build', 'train', 'prove', 'use', 'triage'])
})
