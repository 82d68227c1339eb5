import type { z } from 'zod'
import type { Metrics as MetricsSchema } from '#contracts/entities/score.ts'
import type { Verification } from '#contracts/entities/common.ts'
import type { StepFacts } from './facts.ts'

export type Metrics = z.infer<typeof MetricsSchema>

/** Weights of quality. They add up to 1. */
export const WEIGHTS = {
  successRate: 0.3,
  verification: 0.25,
  complexity: 0.15,
  length: 0.1,
  toolDiversity: 0.1,
  efficiency: 0.1,
} as const satisfies Record<keyof Metrics, number>

const VERIFICATION_VALUE: Record<Verification, number> = { passed: 1, failed: 0, unclear: 0.3, none: 0.5 }
const LENGTH_STEPS: readonly (readonly [upTo: number, value: number])[] = [
  [0, 0],
  [2, 0.2],
  [5, 0.5],
  [9, 0.8],
  [20, 1],
  [30, 0.8],
  [50, 0.5],
]
const LONGER_THAN_ALL = 0.2
const DIVERSITY = [0, 0.2, 0.5, 0.75, 1] as const
const COMPLEXITY_FULL = 12

/** Counts behind the six metrics; evidence shows each of them. */
export interface Figures {
  steps: number
  successes: number
  failures: number
  unknown: number
  /** Tests that failed and passed later: neither success nor failure. */
  redThenGreen: number
  tools: string[]
  patterns: number
  hasIf: boolean
  hasLoop: boolean
  hasPipeline: boolean
  hasList: boolean
  /** All failed steps, including tests that passed later. */
  failedSteps: number
  /** Failed steps whose next step in the same conversation did not fail. */
  recovered: number
  meaningful: number
  distinct: number
}

/** `redThenGreen`: the steps that count as neither success nor failure; efficiency still counts them. */
export function figures(facts: readonly StepFacts[], redThenGreen: ReadonlySet<string> = new Set()): Figures {
  const tools = new Set<string>()
  const patterns = new Set<string>()
  const keys = new Set<string>()
  const last = new Map<string, StepFacts>()
  const sum: Figures = {
    steps: facts.length,
    successes: 0,
    failures: 0,
    unknown: 0,
    redThenGreen: 0,
    tools: [],
    patterns: 0,
    hasIf: false,
    hasLoop: false,
    hasPipeline: false,
    hasList: false,
    failedSteps: 0,
    recovered: 0,
    meaningful: 0,
    distinct: 0,
  }
  for (const step of facts) {
    tools.add(step.tool)
    keys.add(step.key)
    if (step.pattern !== null) patterns.add(step.pattern)
    if (step.outcome !== 'unknown' && redThenGreen.has(step.id)) sum.redThenGreen++
    else if (step.outcome === 'success') sum.successes++
    else if (step.outcome === 'failure') sum.failures++
    else sum.unknown++
    if (step.meaningful) sum.meaningful++
    if (step.outcome === 'failure') sum.failedSteps++
    if (step.outcome !== 'failure' && last.get(step.conversation)?.outcome === 'failure') sum.recovered++
    last.set(step.conversation, step)
    sum.hasIf ||= step.hasIf
    sum.hasLoop ||= step.hasLoop
    sum.hasPipeline ||= step.hasPipeline
    sum.hasList ||= step.hasList
  }
  return { ...sum, tools: [...tools], patterns: patterns.size, distinct: keys.size }
}

/** The six metrics, each 0–1. */
export function metricsOf(sum: Figures, verification: Verification): Metrics {
  const knownOutcomes = sum.successes + sum.failures
  return {
    successRate: knownOutcomes === 0 ? null : sum.successes / knownOutcomes,
    verification: VERIFICATION_VALUE[verification],
    complexity: Math.min(complexityPoints(sum) / COMPLEXITY_FULL, 1),
    length: LENGTH_STEPS.find(([upTo]) => sum.steps <= upTo)?.[1] ?? LONGER_THAN_ALL,
    toolDiversity: DIVERSITY[Math.min(sum.tools.length, 4)]!,
    efficiency: efficiency(sum),
  }
}

export function complexityPoints(sum: Figures): number {
  return (
    1.5 * sum.tools.length +
    0.5 * sum.patterns +
    (sum.hasIf ? 2 : 0) +
    (sum.hasLoop ? 2 : 0) +
    (sum.hasPipeline ? 1 : 0) +
    (sum.hasList ? 1 : 0)
  )
}

function efficiency(sum: Figures): number {
  if (sum.steps === 0) return 0.5
  const recovery = sum.failedSteps === 0 ? 1 : sum.recovered / sum.failedSteps
  return 0.4 * recovery + 0.4 * (sum.meaningful / sum.steps) + 0.2 * (sum.distinct / sum.steps)
}

/** The weighted sum; null when the success rate is unknown. */
export function qualityOf(metrics: Metrics): number | null {
  if (metrics.successRate === null) return null
  return (Object.keys(WEIGHTS) as (keyof Metrics)[]).reduce((sum, name) => sum + WEIGHTS[name] * (metrics[name] ?? 0), 0)
}
