import { own } from '#contracts/lookup.ts'
import { createHmac } from 'node:crypto'
import {
  SECRET_TYPES,
  type PrivacyPolicy,
  PrivacyAction,
  type PrivacyDecision,
  PrivacyScope,
  type PrivacyStatus,
  type ReplaceStrategy,
} from '#contracts/entities/privacy.ts'
import type { TranscriptItem } from '#contracts/entities/step.ts'
import { AppError } from '#contracts/errors.ts'
import { type ClearedRequest, SEAL_KEY } from '#server/adapters/llm/cleared.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'
import type { Payload } from '#contracts/messages.ts'
import type { Core } from '#server/core.ts'
import { createArchiveScan, type ScanDeps } from './archive-scan.ts'
import { detect, DETECTORS, type KnownNames } from './detector.ts'
import { createLedger } from './dp/ledger.ts'
import { release, sensitivityOf, type Spending } from './dp/release.ts'
import { statisticOf, type SessionFigures, type StatisticName } from './dp/statistics.ts'
import { createFindings } from './findings.ts'
import type { GateInput } from './gate.ts'
import { readOrCreateKey } from './key.ts'
import type previewOf from './policy-preview.job.ts'
import type { PreviewInput } from './policy-preview.job.ts'
import { createRunRedaction, type RunRedaction, type RunRedactionOptions } from './run-redaction.ts'
import { maskedLine } from './masked-line.ts'
import { TIME_LIMIT_DETECTOR, valueOf } from './scanner.ts'
import { findingKey, policyHash, projectKey, valueDigest, type ActiveDecisions } from './decisions.ts'
import { createPrivacyStore } from './store.ts'
import { WAYS_OUT } from './ways-out.ts'

export interface PrivacyDeps {
  traces: ScanDeps['traces'] & {
    /** An entry with complete texts. Throws `trace_not_found` or `not_found`. */
    item(traceId: string, entryId: string): Promise<TranscriptItem>
    figures(): Promise<SessionFigures[]>
  }
  policy: () => PrivacyPolicy
  /** Names of this machine and its user. */
  names: KnownNames
}

/** Source name of statistics over this archive. */
const SOURCE = 'archive'
const CONTEXT_CHARS = 400
/** Shorter values can be guessed. */
const LEAST_VALUE = 8
const PREVIEW_JOB = new URL('./policy-preview.job.ts', import.meta.url)
type PreviewResult = ReturnType<typeof previewOf>

export type PrivacyService = ReturnType<typeof createPrivacyService>

export function createPrivacyService(core: Core, deps: PrivacyDeps) {
  const { db, tx, events, now } = core
  const store = createPrivacyStore(db)
  const ledger = createLedger(db, now)
  const key = readOrCreateKey(core.paths.privacyKey)
  const findings = createFindings(core, deps.policy)
  const deriveKey = (use: string) => createHmac('sha256', key).update(use).digest()

  let activeDecisions: ActiveDecisions | null = null
  const decisions = () => (activeDecisions ??= store.activeDecisions())
  const hash = () => policyHash(deps.policy(), decisions(), DETECTORS)
  const emitChange = (reason: Payload<'privacy:changed'>['reason']) => events.append('privacy:changed', { policyHash: hash(), reason })

  const scan = createArchiveScan(core, store, {
    traces: deps.traces,
    policy: deps.policy,
    key,
    names: deps.names,
    detectors: DETECTORS,
    onChanged: () => emitChange('scan'),
  })

  /** The input of a gate for one purpose, as plain data for a worker. `more.policy` overrides the setting. */
  const gateInput = (purpose: string, dataKey: Uint8Array, more: { policy?: Partial<PrivacyPolicy>; off?: string } = {}): GateInput => {
    const policy = { ...deps.policy(), ...more.policy }
    return {
      policy,
      policyHash: policyHash(policy, decisions(), DETECTORS),
      decisions: decisions(),
      key: dataKey,
      valueKey: key,
      sealKey: SEAL_KEY,
      purpose,
      names: deps.names,
      ...(more.off !== undefined && { off: more.off }),
    }
  }

  /** The key of a decision, and the trace it belongs to. */
  const decisionKeyOf = (on: PrivacyScope): { key: string; traceId: string | null } => {
    if (on.scope === 'value') return { key: on.value, traceId: null }
    if (on.scope === 'project') return { key: projectKey(on.project, on.type), traceId: null }
    if (on.scope === 'type') return { key: on.type, traceId: null }
    const row = store.finding(on.finding)
    if (!row)
      throw new AppError('not_found', {
        message: 'No finding has this id. The session may have been rescanned; reload the list.',
      })
    return { key: findingKey(row.step_id, row.type, row.value), traceId: row.trace_id }
  }

  const decisionOf = (id: string): PrivacyDecision => {
    const decision = store.decision(id)
    if (!decision) throw new AppError('not_found', { message: 'No decision has this id.' })
    return decision
  }
  const undoAll = (ids: readonly string[]): PrivacyDecision[] => {
    const toUndo = ids.map(decisionOf).filter(({ undoneAt }) => undoneAt === null)
    return tx(() => {
      for (const { id } of toUndo) store.undo(id, now())
      activeDecisions = null
      emitChange('decision')
      return ids.map(decisionOf)
    })
  }

  /** Stores all decisions or none. */
  const decide = (on: readonly PrivacyScope[], action: PrivacyAction, strategy: ReplaceStrategy | null): PrivacyDecision[] => {
    const lookups = on.map((scope) => {
      if (action === 'keep' && (scope.scope === 'type' || scope.scope === 'project') && SECRET_TYPES.includes(scope.type))
        throw new AppError('invalid_request', {
          message: `A whole type of secret ("${scope.type}") cannot be kept.`,
          hint: 'If a finding is not a secret, keep that finding or its value.',
        })
      return { scope, ...decisionKeyOf(scope) }
    })
    const choice = { action, strategy: action === 'replace' ? strategy : null }
    return tx(() => {
      const decided = lookups.map(({ scope, key: lookup, traceId }) => store.decide(scope, lookup, traceId, choice, now()))
      activeDecisions = null
      emitChange('decision')
      return decided
    })
  }

  /** The gate for the requests of one run, under the policy and decisions at the time of each. */
  const openRun = (purpose: string, options: RunRedactionOptions): RunRedaction =>
    createRunRedaction(
      { workers: core.workers, gateInput: (off) => gateInput(purpose, deriveKey('review'), { ...(off !== undefined && { off }) }) },
      options,
    )

  /** A finding with the text it is in, from the archive. */
  const passageOf = async (id: string) => {
    const row = store.finding(id)
    if (!row)
      throw new AppError('not_found', {
        message: 'No finding has this id. The session may have been rescanned; reload the list.',
      })
    const text = textOf(await deps.traces.item(row.trace_id, row.step_id), row.part, row.path)
    const raw = text.slice(row.start, row.end)
    const value = row.detector === TIME_LIMIT_DETECTOR ? raw : valueOf(raw, row.type, (inner) => detect(inner))
    if (valueDigest(key, row.type, value) !== row.value)
      throw new AppError('not_found', { message: 'The session changed here since it was scanned.', hint: 'Scan again.' })
    return { row, text, raw }
  }

  return {
    gateInput,
    /** SHA-256 of the policy, the active decisions and the version of the detectors. */
    policyHash: hash,
    /** Key for made-up values in reviews: the same after a restart, and different from the key of every data set. */
    reviewKey: deriveKey('review'),
    findings,
    openRun,
    /** Clears a request that belongs to no run, with the current policy. */
    clearRequest: (request: ChatRequest, purpose: string, signal: AbortSignal): Promise<ClearedRequest> =>
      openRun(purpose, { file: null, onReplaced() {} }).clearRequest(request, signal),
    /** Clears a text that is sent by itself; null if it could not be searched in time. */
    async clearText(text: string, purpose: string, signal: AbortSignal): Promise<ClearedRequest | null> {
      let isSearched = true
      const run = openRun(purpose, { file: null, onReplaced: ({ unscanned = 0 }) => void (isSearched = unscanned === 0) })
      const request = await run.clearRequest({ model: null, messages: [{ role: 'user', content: text }], maxTokens: 1 }, signal)
      return isSearched ? request : null
    },
    wake: () => scan.wake(),
    settle: () => scan.settle(),
    close: () => scan.close(),
    startScan: (all: boolean) => core.jobs.start('privacy-scan', (context) => scan.run({ all }, context), { single: true }),
    /** Called after a policy change, when everything may need a new scan. */
    policyChanged(): void {
      emitChange('policy')
      scan.wake()
    },
    async status(): Promise<PrivacyStatus> {
      const { places: byType, values: valuesByType } = await findings.byType()
      const total = Object.values(byType).reduce((sum, count) => sum + count, 0)
      return { ...scan.status(), findings: total, byType, valuesByType, policyHash: hash(), detectors: DETECTORS, waysOut: [...WAYS_OUT] }
    },

    /** The value of a finding and the text around it, from the archive. Values are shown nowhere else. */
    async context(id: string) {
      const { row, text, raw } = await passageOf(id)
      return {
        before: text.slice(Math.max(0, row.start - CONTEXT_CHARS), row.start),
        value: raw.slice(0, 10 * CONTEXT_CHARS),
        after: text.slice(row.end, row.end + CONTEXT_CHARS),
        truncated: row.start > CONTEXT_CHARS || text.length - row.end > CONTEXT_CHARS || raw.length > 10 * CONTEXT_CHARS,
      }
    },

    /**
     * Values of these sessions that the policy replaces, each with the text before it: for asking a model whether it knows them. They
     * are read from the archive for it, and neither shown nor kept.
     */
    async replacedPlaces(traceIds: readonly string[], most: number, signal: AbortSignal): Promise<{ prefix: string; value: string }[]> {
      const places = new Map<string, { prefix: string; value: string }>()
      for (const trace of traceIds) {
        if (places.size >= most) break
        signal.throwIfAborted()
        const { items } = await findings.list({ trace, limit: 2 * most })
        for (const { id } of items.filter((one) => one.action !== 'keep' && one.detector !== TIME_LIMIT_DETECTOR)) {
          if (places.size >= most) break
          const passage = await passageOf(id).catch(() => null) // the session changed since it was scanned
          if (passage === null) continue
          const { row, text, raw } = passage
          const before = store.samePassage(row).findLast(({ end }) => end <= row.start)?.end ?? 0
          const prefix = text.slice(Math.max(before, row.start - CONTEXT_CHARS), row.start)
          if (raw.length >= LEAST_VALUE && prefix.trim().length >= LEAST_VALUE && !prefix.includes(raw))
            places.set(raw, { prefix, value: raw })
        }
      }
      return [...places.values()]
    },

    /** The line around a finding, from the archive, with everything found in it masked. */
    async line(id: string) {
      const { row, text } = await passageOf(id)
      return maskedLine(text, row, store.samePassage(row))
    },

    decide,
    /** Decides like an earlier decision, with the same checks. */
    decideAgain(id: string): PrivacyDecision {
      const { on, action, strategy } = decisionOf(id)
      return decide([PrivacyScope.parse(on)], PrivacyAction.parse(action), strategy)[0]!
    },
    undo(id: string): PrivacyDecision {
      if (decisionOf(id).undoneAt !== null) throw new AppError('nothing_to_undo', { message: 'This decision was already undone.' })
      return undoAll([id])[0]!
    },
    undoAll,
    decisions: (cursor: string | undefined, limit: number) => store.decisions(cursor, limit),
    /** Called in the transaction that deletes a session. */
    forget(traceId: string): void {
      store.forget(traceId)
      activeDecisions = null
    },

    preview(text: string, policy: PrivacyPolicy | undefined, signal: AbortSignal): Promise<PreviewResult> {
      const input: PreviewInput = { text, gate: gateInput('preview', deriveKey('preview'), { policy: policy ?? deps.policy() }) }
      return core.workers.run<PreviewResult>(PREVIEW_JOB, input, { lane: 'query', key: 'preview', signal }) // one at a time, so that reads are not blocked
    },

    budget: () => ledger.of(SOURCE),
    /** Records the cost before it draws the noise. */
    async release({ what, maxMinutes, ...spending }: Spending & { what: StatisticName; maxMinutes: number }) {
      const statistic = statisticOf(what, await deps.traces.figures(), maxMinutes)
      const { mechanism, epsilon } = spending
      const delta = mechanism === 'laplace' ? 0 : spending.delta
      const recorded = tx(() => {
        const row = ledger.spend({ source: SOURCE, what, mechanism, epsilon, delta, sensitivity: sensitivityOf(statistic, mechanism) })
        emitChange('release')
        return row
      })
      const { value, bins, deviation } = release(statistic, { mechanism, epsilon, delta })
      return { release: recorded, value, bins, deviation, left: ledger.left(SOURCE) }
    },
  }
}

function textOf(item: TranscriptItem, part: 'body' | 'result', path: string): string {
  if (item.kind !== 'step') return item.text
  if (part === 'result') return item.step.output ?? ''
  const keys = path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  let value: unknown = item.step.input
  for (const name of keys) value = typeof value === 'object' ? own(value as Record<string, unknown> | null, name) : undefined
  return typeof value === 'string' ? value : ''
}
