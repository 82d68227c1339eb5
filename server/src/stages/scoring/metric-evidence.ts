import type { MetricEvidence } from '#contracts/entities/score.ts'
import type { StepFacts } from './facts.ts'
import { complexityPoints, WEIGHTS, type Figures, type Metrics } from './metrics.ts'
import type { VerificationState } from './verification/state.ts'

/** Steps listed for a metric; its sentence has the full count. */
const MAX_STEPS = 50

type Refs = MetricEvidence['steps']

/** For each metric a sentence with its numbers, and the steps it is based on. */
export function metricEvidence(
  facts: readonly StepFacts[],
  sum: Figures,
  metrics: Metrics,
  verification: VerificationState,
): MetricEvidence[] {
  const steps = plural(sum.steps, 'step')
  const entries: Record<keyof Metrics, [sentence: string, refs: Refs]> = {
    successRate: [
      metrics.successRate === null
        ? `None of ${steps} has a known outcome.`
        : `${sum.successes} of ${plural(sum.successes + sum.failures, 'step')} with a known outcome succeeded, ${sum.failures} failed; ${sum.unknown} unknown${sum.redThenGreen > 0 ? `; ${sum.redThenGreen} test failures that passed later not counted` : ''}.`,
      refs(facts, ({ outcome }) => (outcome === 'failure' ? 'failed' : null)),
    ],
    verification: [
      verificationSentence(verification),
      verification.evidence
        .slice(-MAX_STEPS)
        .map((check) => ({ step: check.step, why: `${check.kind} ${check.result.replace('_', ' ')}: ${check.why}` })),
    ],
    complexity: [complexitySentence(sum), complexityRefs(facts)],
    length: [`${steps}; full score at 10 to 20.`, []],
    toolDiversity: [
      sum.tools.length === 0 ? 'No tools.' : `${plural(sum.tools.length, 'tool')}: ${listTools(sum.tools)}; full score from 4.`,
      firstOf(
        facts,
        ({ tool }) => tool,
        (tool) => `first call of ${tool}`,
      ),
    ],
    efficiency: [efficiencySentence(sum), efficiencyRefs(facts)],
  }
  return (Object.keys(WEIGHTS) as (keyof Metrics)[]).map((metric) => ({ metric, sentence: entries[metric][0], steps: entries[metric][1] }))
}

function verificationSentence({ state, evidence, override, decidedBy, filesEditedAfter, open, red }: VerificationState): string {
  if (override) return `Set by ${override.by}: ${state}. It overrides the ${plural(evidence.length, 'check')} found in the session.`
  if (evidence.length === 0) return red ? 'An unrecognised command reported failures.' : 'No test, build or lint that Bash Gym recognises.'
  const outcomes = decidedBy
    .map(({ kind, result }) => `the last ${kind} ${result === 'unclear' ? 'is unclear' : result === 'not_run' ? 'did not start' : result}`)
    .join(', ')
  if (decidedBy.length === 0) return `${plural(evidence.length, 'check')} found, on the code before the changes; none decides.`
  const failures = `${open ? ' A check failed and no later check of the same scope passed.' : ''}${red ? ' An unrecognised command reported failures.' : ''}`
  return `${plural(evidence.length, 'check')} found; ${outcomes}; ${filesEditedAfter === 0 ? 'no file' : plural(filesEditedAfter ?? 0, 'file')} edited afterwards.${failures}`
}

function complexitySentence(sum: Figures): string {
  const structure = [
    sum.hasIf && 'if (2)',
    sum.hasLoop && 'loop (2)',
    sum.hasPipeline && 'pipeline (1)',
    sum.hasList && '&& or || list (1)',
  ].filter(Boolean)
  return `${plural(sum.tools.length, 'tool')} × 1.5 + ${plural(sum.patterns, 'pattern')} × 0.5${structure.map((part) => ` + ${part}`).join('')} = ${complexityPoints(sum)} of 12 points.`
}

function efficiencySentence(sum: Figures): string {
  if (sum.steps === 0) return 'No steps: 0.5 by definition.'
  const recovery =
    sum.failedSteps === 0 ? 'no failures' : `${sum.recovered} of ${plural(sum.failedSteps, 'failure')} recovered by the next step`
  return `${recovery} (weight 0.4); ${sum.meaningful} of ${plural(sum.steps, 'output')} meaningful (0.4); ${sum.distinct} of ${plural(sum.steps, 'call')} distinct (0.2).`
}

function complexityRefs(facts: readonly StepFacts[]): Refs {
  const shapes: [why: string, has: (step: StepFacts) => boolean][] = [
    ['if', ({ hasIf }) => hasIf],
    ['loop', ({ hasLoop }) => hasLoop],
    ['pipeline', ({ hasPipeline }) => hasPipeline],
    ['&& or || list', ({ hasList }) => hasList],
  ]
  const structure = shapes.flatMap(([why, has]) => {
    const step = facts.find(has)
    return step ? [{ step: step.id, why }] : []
  })
  return [
    ...structure,
    ...firstOf(
      facts,
      ({ pattern }) => pattern,
      (pattern) => `pattern ${pattern}`,
    ),
  ].slice(0, MAX_STEPS)
}

/** Steps that lowered efficiency: unrecovered failures, empty outputs, outputs with errors, repeated calls. */
function efficiencyRefs(facts: readonly StepFacts[]): Refs {
  const next = new Map<string, StepFacts>()
  const unrecovered = new Set<StepFacts>()
  for (const step of facts.toReversed()) {
    const after = next.get(step.conversation)
    if (step.outcome === 'failure' && (after === undefined || after.outcome === 'failure')) unrecovered.add(step)
    next.set(step.conversation, step)
  }
  const seenKeys = new Set<string>()
  return refs(facts, (step) => {
    const reasons = [
      unrecovered.has(step) && 'failed and was not recovered by the next step',
      !step.meaningful && 'output is empty or names an error',
      seenKeys.has(step.key) && 'repeats an earlier call',
    ].filter(Boolean)
    seenKeys.add(step.key)
    return reasons.join('; ') || null
  })
}

function refs(facts: readonly StepFacts[], why: (step: StepFacts) => string | null): Refs {
  const stepRefs: Refs = []
  for (const step of facts) {
    const reason = why(step)
    if (reason !== null) stepRefs.push({ step: step.id, why: reason })
    if (stepRefs.length === MAX_STEPS) break
  }
  return stepRefs
}

function firstOf(facts: readonly StepFacts[], value: (step: StepFacts) => string | null, why: (value: string) => string): Refs {
  const seenValues = new Set<string>()
  return refs(facts, (step) => {
    const current = value(step)
    if (current === null || seenValues.has(current)) return null
    seenValues.add(current)
    return why(current)
  })
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const LISTED = 12
const listTools = (tools: readonly string[]): string =>
  tools.length <= LISTED ? tools.join(', ') : `${tools.slice(0, LISTED).join(', ')} and ${tools.length - LISTED} more`
