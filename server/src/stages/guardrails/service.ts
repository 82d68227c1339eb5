import type { GuardCheck, GuardProfile, GuardRule, GuardType, GuardVerdict, TextDirection } from '#contracts/entities/guardrail.ts'
import type { GuardrailSettings, OwnGuardRule } from '#contracts/settings/guardrails.ts'
import type { RedactionCounts } from '#contracts/entities/privacy.ts'
import { SECOND_SET } from './text/second-set.ts'
import type { Core } from '#server/core.ts'
import type { EvaluateInput } from './evaluate.job.ts'
import { type ClientGuardDeps, createClientGuard } from './client/service.ts'
import type { GuardPolicy } from './engine.ts'
import { evaluateWithTimeLimit, parseOf } from './evaluate.ts'
import { eventIdOf } from './event-id.ts'
import { requireCheckableLength, requireCheckableText } from './length.ts'
import { listedRules } from './listed-rules.ts'
import { createRecords } from './records.ts'
import { policyOf } from './policy.ts'
import { createGuardrailStore, type EventFilter } from './store.ts'
import { createSweep, type SweepDeps } from './sweep.ts'
import { type ClearText, findingOf, moderate } from './text/moderation.ts'
import { checkText, type TextFinding, type TextInput, type TextResult } from './text/check.ts'
import type { ResultFinding, ResultOptions } from './text/tool-result.ts'

export interface GuardrailsDeps {
  /** Removes secrets and personal data from a text. */
  redact: (text: string) => string
  /** Where secrets and personal data are in a text. */
  personal: (text: string, signal: AbortSignal) => Promise<{ start: number; end: number; type: string }[]>
  /** Clears a text for the service that the user set up. */
  clear: ClearText
  settings: () => GuardrailSettings
  traces: SweepDeps['traces']
  /** The trace of a session of Claude Code, by the client's own id. */
  traceOf: (session: string) => string
  /** The step of a call in a trace, by the client's own id. */
  stepOf: (traceId: string, call: string) => string
  /** Whether the user has the sessions of a folder captured. Nothing is kept of others, although they are guarded. */
  isCaptured: (of: { session: string | null; cwd: string | null }) => boolean
  client: Omit<ClientGuardDeps, 'settings' | 'ownRules' | 'verdictOn' | 'record'>
}

export interface CheckOptions {
  sandboxId?: string
  /** Absolute path of the folder that the command would run in. */
  cwd?: string
  policy?: GuardPolicy
}

/** By the client's own ids. */
interface CallOfClient {
  session: string | null
  id: string | null
}

const EVALUATE_JOB = new URL('./evaluate.job.ts', import.meta.url)
const TEXT_JOB = new URL('./text/check-text.job.ts', import.meta.url)
const OWN_TESTS_JOB = new URL('./own-tests.job.ts', import.meta.url)
const SWEEP = 'guardrail-sweep'
/** About 5 ms of work; longer commands are checked on a thread. */
const SHORT_CHARS = 2_000
const LONGEST_FOR_PERSONAL_DATA = 100_000
const ALL_TYPES: readonly GuardType[] = ['injection', 'moderation', 'topic', 'pii']

export function createGuardrailsService(core: Core, deps: GuardrailsDeps) {
  const { db, tx, jobs, workers, now } = core
  const store = createGuardrailStore(db, now)
  const records = createRecords(core, store, deps.redact)
  let tested: { of: string; failing: Promise<string[][]> } | null = null
  let sweepId: string | null = null

  /** The tests that fail, by own rule; run again when the rules change. */
  function failingTests(): Promise<string[][]> {
    const { rules } = deps.settings()
    if (rules.length === 0) return Promise.resolve([])
    const of = JSON.stringify(rules)
    if (tested?.of !== of) tested = { of, failing: workers.run<string[][]>(OWN_TESTS_JOB, rules, { lane: 'query' }) }
    return tested.failing
  }

  async function ownRules(): Promise<OwnGuardRule[]> {
    const { rules } = deps.settings()
    const failing = await failingTests()
    return rules.filter((_, index) => failing[index]?.length === 0)
  }

  async function evaluate(command: string, profile: GuardProfile, cwd: string | null, policy: GuardPolicy, withParse: boolean) {
    requireCheckableLength(command)
    const input: EvaluateInput['command'] = [command, profile, cwd, policy, await ownRules()]
    if (command.length <= SHORT_CHARS) return { verdict: evaluateWithTimeLimit(...input), parse: withParse ? parseOf(command, cwd) : null }
    const job = { command: input, withParse } satisfies EvaluateInput
    return workers.run<{ verdict: GuardVerdict; parse: GuardCheck['parse'] }>(EVALUATE_JOB, job, { lane: 'query' })
  }

  function placeOf({ session, id }: CallOfClient): { traceId: string | null; stepId: string | null } {
    const traceId = session === null ? null : deps.traceOf(session)
    return { traceId, stepId: traceId === null || id === null ? null : deps.stepOf(traceId, id) }
  }

  const sweep = createSweep(core, store, { ...deps, ownRules })
  const clientGuard = createClientGuard(core, {
    ...deps.client,
    settings: deps.settings,
    ownRules,
    verdictOn: async (command, cwd) => (await evaluate(command, 'native', cwd, {}, false)).verdict,
    record: ({ tool_input: { command }, session_id: session, tool_use_id: id, cwd }, verdict, what) => {
      if (deps.isCaptured({ session, cwd })) records.checked(command, verdict, { ...what, profile: 'native', ...placeOf({ session, id }) })
    },
  })

  return {
    clientGuard,
    async checkCommand(command: string, profile: GuardProfile, cwd: string | null, call?: CallOfClient): Promise<GuardCheck> {
      const { verdict: result, parse } = await evaluate(command, profile, cwd, {}, true)
      const { verdict, rule, span, reason, alternatives } = result
      if (call && verdict !== 'allow' && deps.isCaptured({ session: call.session, cwd }))
        records.checked(command, result, { profile, source: 'mod', action: verdict === 'block' ? 'blocked' : 'asked', ...placeOf(call) })
      const whole = span ?? { start: 0, end: command.length }
      const spans = rule === null ? [] : [{ ...whole, family: rule }]
      return {
        passed: verdict !== 'block',
        verdict,
        rule,
        type: rule === null ? null : 'code',
        spans,
        score: null,
        reason,
        alternatives,
        moderation: null,
        unchecked: [],
        parse,
      }
    },
    async checkText(text: string, direction: TextDirection, signal: AbortSignal): Promise<GuardCheck> {
      requireCheckableText(text)
      const settings = deps.settings()
      const rules = (await ownRules()).filter(({ on }) => on === 'text')
      const input: TextInput = { text, direction, settings, rules }
      const result =
        text.length <= SHORT_CHARS && rules.length === 0
          ? checkText(input)
          : await workers.run<TextResult>(TEXT_JOB, input, { lane: 'query', signal })
      const findings = [...result.findings]
      const checked = new Set(result.checked)
      if (direction !== 'tool_result' && settings.piiFiltering && text.length <= LONGEST_FOR_PERSONAL_DATA) {
        checked.add('pii')
        const found = await deps.personal(text, signal)
        if (found.length > 0) findings.push(personalData(found))
      }
      const moderation = await moderate(text, direction, settings, deps.clear, signal)
      if (moderation.verdict !== 'not_checked') checked.add('moderation')
      findings.push(...findingOf(moderation))
      const worst = findings.find(({ verdict }) => verdict === 'block') ?? findings[0]
      const unchecked = ALL_TYPES.filter((type) => !checked.has(type))
      const common = { alternatives: [], moderation, unchecked, parse: null }
      if (worst) return { passed: worst.verdict !== 'block', ...worst, ...common }
      const verdict = checked.size + rules.length === 0 ? 'not_checked' : 'allow'
      const nothing = settings.contentModeration && settings.service.url !== '' ? moderation.reason : NOTHING_LOOKED
      return { ...NOTHING_FOUND, verdict, reason: verdict === 'allow' ? null : nothing, ...common }
    },
    policyOf,
    /** Checks a command before it runs in a sandbox; a warning or a block is stored and published. Throws `payload_too_large`. */
    async check(command: string, profile: GuardProfile, { sandboxId, cwd, policy = {} }: CheckOptions = {}): Promise<GuardVerdict> {
      const { verdict } = await evaluate(command, profile, cwd ?? null, policy, false)
      records.checked(command, verdict, { profile, sandboxId: sandboxId ?? null })
      return verdict
    },
    redacted: (counts: RedactionCounts) => records.redacted(counts),
    /** For results of tools that models read through the proxy. */
    passedResults: {
      /** What they are checked with; null: they are not. */
      async options(): Promise<ResultOptions | null> {
        const { injectionDetection, blockedTopics, allowedTopics } = deps.settings()
        return injectionDetection ? { settings: { injectionDetection, blockedTopics, allowedTopics }, rules: await ownRules() } : null
      },
      /** Lists what was found once, also if it is sent again, or its session is checked. */
      record(session: string | null, found: readonly { call: string; finding: ResultFinding }[]): void {
        for (const { call, finding } of found) {
          const { traceId, stepId } = placeOf({ session, id: call })
          const id = eventIdOf(traceId ?? 'proxy', { stepId: stepId ?? call, of: 'result', rule: finding.rule })
          records.read(id, finding, { traceId, stepId })
        }
      },
    },
    async rules(): Promise<GuardRule[]> {
      return listedRules(store.countsByRule(), deps.settings().rules, await failingTests())
    },
    async overview() {
      return { days: store.days(), sessions: { ...(await sweep.counts()), jobId: sweepId }, secondSet: SECOND_SET }
    },
    startSweep: () =>
      jobs.start(
        SWEEP,
        async (context) => {
          sweepId = context.id
          try {
            return await sweep.run(context)
          } finally {
            sweepId = null
          }
        },
        { single: true },
      ),
    review: (id: string, wasRight: boolean | null) => tx(() => store.review(id, wasRight)),
    list: (filter: EventFilter) => store.list(filter),
    taint: (query: Parameters<typeof store.taint>[0]) => store.taint(query),
    forget: (traceId: string): void => {
      store.forget(traceId)
      sweep.forget(traceId)
    },
    wake: sweep.wake,
    close: sweep.close,
  }
}

export type GuardrailsService = ReturnType<typeof createGuardrailsService>
export type PassedResults = GuardrailsService['passedResults']

const NOTHING_FOUND = { passed: true, rule: null, type: null, spans: [], score: null }
const NOTHING_LOOKED = 'Nothing is switched on that looks at such a text.'
const MOST_SPANS = 20

const personalData = (found: { start: number; end: number; type: string }[]): TextFinding => ({
  verdict: 'warn',
  rule: 'personal-data',
  type: 'pii',
  score: null,
  reason: `This text has ${[...new Set(found.map(({ type }) => type.replaceAll('_', ' ')))].join(', ')}.`,
  spans: found.slice(0, MOST_SPANS).map(({ start, end, type }) => ({ start, end, family: type })),
})
