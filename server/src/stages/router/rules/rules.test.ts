import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { StepRule } from '#contracts/settings/router.ts'
import { newFolder } from '#server/testing/folders.ts'
import { refusalOf, runAgainst, useServer } from '#server/testing/use.ts'
import { done } from '../../judge/exam/testing-exam.ts'
import { priceSteps, ruleFor, type Step } from './price.ts'

const MINUTE = 60_000
const PRICES = [
  { model: 'claude-large', inputPerMTok: 10, outputPerMTok: 50 },
  { model: 'claude-small', inputPerMTok: 1, outputPerMTok: 5 },
]
const rule = (value: Partial<StepRule>) => StepRule.parse({ when: 'turn_rest', ...value })
const SMALL = rule({ model: 'claude-small' })

/** A step of the large model with this many tokens, at this minute. */
const step = (minute: number, context: number, of?: StepRule, write = 1): Step => ({
  request: {
    at: minute * MINUTE,
    model: 'claude-large',
    agent: 'main',
    input: 0,
    output: 0,
    cacheRead: context - write,
    cacheWrite: write,
  },
  rule: of,
})
const sums = (steps: Step[]) =>
  priceSteps(steps, PRICES)!.reduce((sum, one) => ({ without: sum.without + one.without, with: sum.with + one.with }), {
    without: 0,
    with: 0,
  })

test('a step follows the first rule that fits it; forks follow none', () => {
  const rules = [rule({ when: 'subagent', agentType: 'Explore' }), rule({ when: 'subagent' }), SMALL]
  expect(ruleFor(rules, 'subagent', 'Explore')).toBe(rules[0])
  expect(ruleFor(rules, 'subagent', 'general-purpose')).toBe(rules[1])
  expect(ruleFor(rules, 'turn_rest', null)).toBe(SMALL)
  for (const type of ['fork', null]) expect(ruleFor(rules, 'subagent', type)).toBeUndefined()
  expect(ruleFor(rules, 'turn_start', null)).toBeUndefined()
})

test('a whole conversation with a model of a tenth of the price costs a tenth', () => {
  const { without, with: cheaper } = sums([step(0, 10_000, SMALL), step(1, 11_000, SMALL), step(2, 12_000, SMALL)])
  expect(without).toBeCloseTo((10_000 * 12.5 + 1000 * 12.5 + 10_000 * 1 + 1000 * 12.5 + 11_000 * 1) / 1e6, 9)
  expect(cheaper).toBeCloseTo(without / 10, 9)
})

test('a model that changes back and forth writes both caches, and one that was away too long writes its own again', () => {
  const [first, second, third] = priceSteps([step(0, 10_000), step(1, 11_000, SMALL), step(2, 12_000)], PRICES)!
  expect(first!.with).toBe(first!.without)
  expect(second!.with).toBeCloseTo((11_000 * 1.25) / 1e6, 9) // nothing of it is in its cache
  expect(third!.with).toBeCloseTo((10_000 * 1 + 2000 * 12.5) / 1e6, 9)
  expect(third!.with).toBeGreaterThan(third!.without)
  const late = priceSteps([step(0, 10_000), step(4, 11_000, SMALL), step(8, 12_000)], PRICES)!
  expect(late[2]!.without).toBeCloseTo((11_000 * 1 + 1000 * 12.5) / 1e6, 9)
  expect(late[2]!.with).toBeCloseTo((12_000 * 12.5) / 1e6, 9)
})

test('nothing is priced without a price', () => expect(priceSteps([step(0, 10, rule({ model: 'claude-nobody' }))], PRICES)).toBeNull())

const server = useServer()

test('rules are off until they are switched on, are written for the mod, and are priced by recorded sessions', async () => {
  const { client, config } = server
  const file = path.join(config.dataDir, 'step-rules.json')
  expect(await client.priceStepRules({ body: {} })).toEqual({
    sessions: 0,
    steps: 0,
    leftOut: 0,
    recordedUsd: null,
    withoutUsd: null,
    withUsd: null,
    switchUsd: null,
    rules: [],
    isOn: false,
    problem: null,
  })
  const sessions = path.join(newFolder(), 'projects')
  fs.cpSync(path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'samples', 'claude-code'), sessions, { recursive: true })
  await done(client, await client.startImport({ body: { paths: [sessions] } }))
  const rules = async (...args: string[]) => (await runAgainst(server, ['router', 'rules', ...args])).out
  expect(await rules('set', 'subagent', '--model', 'claude-haiku-4-5', '--effort', 'low')).toBe(
    `The rules are off: bashgym router rules on.
  steps of sub-agents: claude-haiku-4-5, effort low: 9 steps, would have cost $0.036 less
6 sessions with 42 steps would have cost $0.140 instead of $0.176, by a simulation of the cache. They did cost $0.277.
2 sessions left out: without times, counts or prices.
`,
  )
  expect(fs.existsSync(file)).toBe(false)
  await rules('set', 'subagent', '--agent', 'Explore', '--effort', 'medium')
  const on = await rules('on')
  expect(on).toContain('The mod is not installed, so Claude Code does not follow the rules.')
  expect(on).toContain('steps of sub-agents (Explore): effort medium: 0 steps, what another effort saves was not measured')
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({
    rules: [
      { when: 'subagent', agentType: 'Explore', model: '', effort: 'medium' },
      { when: 'subagent', agentType: '', model: 'claude-haiku-4-5', effort: 'low' },
    ],
  })
  await rules('remove', 'subagent', '--agent', 'Explore')
  await rules('remove', 'subagent')
  expect(fs.existsSync(file)).toBe(false)
  const foreign = [{ when: 'turn_rest' as const, model: 'gpt-5.5' }]
  expect((await refusalOf(client.patchSettings({ body: { router: { rules: foreign } } }))).code).toBe('invalid_request')
  expect(server.contractViolations).toEqual([])
})
