import { lookup } from '#contracts/lookup.ts'
import { SECRET_TYPES, type Finding, type PiiType, type PrivacyPolicy, type PrivacyReport } from '#contracts/entities/privacy.ts'
import { SEAL_KEY, sealOf, type Cleared, type ClearedRequest } from '#server/adapters/llm/cleared.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'
import { detect, inTime, type KnownNames, type Scan } from './detector.ts'
import { cachedScan } from './labelled.ts'
import { createKnownSecrets, type KnownSecrets } from './known-secrets.ts'
import { peopleIn } from './people-in.ts'
import {
  applyFindings,
  createLastingNumbering,
  createNumbering,
  createPeople,
  createReplacer,
  digest,
  isLabel,
  type LabelNumbers,
  redactLink,
  strategyOf,
  UNSCANNED,
  type PersonMention,
} from './replace/index.ts'
import { resolveDecision, SECRET_CONFIDENCE, type ActiveDecisions, valueDigest } from './decisions.ts'

export type { Cleared } from '#server/adapters/llm/cleared.ts'

/** The input of a gate, as plain data that can be passed to a worker. */
export interface GateInput {
  policy: PrivacyPolicy
  policyHash: string
  decisions: ActiveDecisions
  /** Key of the data set, from which replacements are computed. */
  key: Uint8Array
  /** Key of the archive, which identifies values for decisions; never written. */
  valueKey: Uint8Array
  /** Key of the server process. It proves to model clients that a gate cleared a request. */
  sealKey?: Uint8Array
  /** What the cleared values are for, such as "data set fixes v3". Not part of the report. */
  purpose: string
  /** Names of this machine and its user. */
  names?: KnownNames
  /** The reason for keeping personal data; secrets are redacted anyway. */
  off?: string
  /** Numbers of earlier labels, which the gate continues and changes: a secret then has the same label in all records. */
  labels?: LabelNumbers
  /** With `labels`: secrets of earlier records. */
  known?: KnownSecrets
}

/** A text of a larger value. `isData`: it is inside the input of a call, where every key is a label. */
export interface KeyedText {
  key: string | null
  text: string
  isData: boolean
}

export interface ClearContext {
  traceId?: string | null
  project?: string | null
  stepId?: string | null
  /** The entry at a path, if the value consists of several entries. */
  stepOf?: (path: readonly (string | number)[]) => string | null
  /** Called for every replaced finding. */
  onReplaced?: (type: PiiType, instead: string, path: readonly (string | number)[]) => void
}

export interface Gate {
  readonly purpose: string
  /** Applies the policy to every text and key of the value, as valid Unicode; counts as one record of the report. */
  clear<T>(value: T, context?: ClearContext): Cleared<T>
  /** Clears a request to a model and adds the proof that the model client requires. */
  clearRequest<Request extends ChatRequest>(request: Request, context?: ClearContext): ClearedRequest<Request>
  /** Applies the policy to texts; counts as one record of the report. */
  clearTexts(texts: readonly KeyedText[]): string[]
  /** The secrets that have a label, if the gate continues `labels`. */
  known(): KnownSecrets
  /** Counts so far. `survivors` is null, because residual.ts measures it later on the written rows. */
  report(): PrivacyReport
}

/** Integers from this size on may be card, account or phone numbers. */
const LONG_NUMBER = 1_000_000
const DEEPEST = 500
const MAX_CLEAN_KEYS = 10_000

/** `find` replaces the detectors in tests. */
export function openGate(input: GateInput, find: Scan = detect): Gate {
  const { policy, decisions, off } = input
  const valueKey = Buffer.from(input.valueKey)
  const { labels } = input
  const numbering = labels ? createLastingNumbering(labels, (text) => digest(valueKey, `label\0${text}`, 32)) : createNumbering()
  const key = Buffer.from(input.key)
  const people = createPeople(key)
  const replacer = createReplacer(key, policy, numbering, people)
  const secrets = labels ? createKnownSecrets(input.known ?? []) : null
  const replace: typeof replacer = (type, value, strategy) => {
    const replacement = replacer(type, value, strategy)
    secrets?.add(type, value, replacement)
    return replacement
  }
  const types = off === undefined ? new Set<PiiType>([...policy.types, ...SECRET_TYPES]) : new Set<PiiType>(SECRET_TYPES)
  const options = {
    types: [...types],
    customRules: policy.customRules.filter(({ type }) => types.has(type)),
    allowed: new Set(policy.allowed),
    ...(input.names && { names: input.names }),
  }
  const scan = (text: string): Finding[] => find(text, options)
  const counts = { records: 0, recordsWithFindings: 0, belowThreshold: 0, unscanned: 0 }
  const byType: Record<string, number> = lookup()
  const actions: Record<string, number> = lookup()
  const cleanKeys = new Set<string>()
  let findingCount = 0

  interface ValueContext {
    path: (string | number)[]
    key: string | null
    isData: boolean
    context: ClearContext
  }

  const threshold = (type: PiiType) =>
    SECRET_TYPES.includes(type) ? Math.min(SECRET_CONFIDENCE, policy.confidenceThreshold) : policy.confidenceThreshold

  /** The link with its credentials replaced by labels; null if the whole link must be replaced. */
  const redactLinkAt = (place: ValueContext, link: string): string | null =>
    redactLink(link, {
      scan,
      decide: decide(place),
      label(type, value) {
        const replacement = replace(type, value, 'redact')
        place.context.onReplaced?.(type, replacement, place.path)
        return replacement
      },
    })

  const decide = (place: ValueContext) => (finding: Finding, value: string) => {
    if (isLabel(value)) return null
    const { type } = finding
    const { context } = place
    const choice = resolveDecision(decisions, {
      type,
      digest: valueDigest(valueKey, type, value),
      stepId: context.stepOf?.(place.path) ?? context.stepId ?? null,
      project: context.project ?? null,
    })
    if (!choice && finding.confidence < threshold(type)) {
      counts.belowThreshold += 1
      return null
    }
    if (choice?.action === 'keep') return countFinding(type, 'kept', null)
    const isLabelled = choice?.action === 'redact' || (labels !== undefined && SECRET_TYPES.includes(type))
    const strategy = isLabelled ? 'redact' : (choice?.strategy ?? strategyOf(policy, type))
    const link = type === 'connection_string' && strategy === 'redact' ? redactLinkAt(place, value) : null
    if (link !== null) return countFinding(type, strategy, link)
    const replacement = replace(type, value, strategy)
    if (replacement === value) return null
    context.onReplaced?.(type, replacement, place.path)
    return countFinding(type, strategy, replacement)
  }
  const countFinding = (type: PiiType, action: string, instead: string | null) => {
    findingCount += 1
    byType[type] = (byType[type] ?? 0) + 1
    actions[action] = (actions[action] ?? 0) + 1
    return instead
  }

  const findingsIn = cachedScan(scan)
  /** Texts of the record whose scan timed out; they are not scanned again. */
  const timedOut = new Set<string>()
  const findingsOf = (key: string | null, text: string, isData: boolean): readonly Finding[] | null => {
    const findings = timedOut.has(text) ? null : inTime(() => findingsIn(key, text, isData))
    if (findings === null) timedOut.add(text)
    return findings
  }

  const inventsPeople = (['person', 'email', 'username'] as const).some(
    (type) => types.has(type) && strategyOf(policy, type) === 'synthetic',
  )
  /** Collects the people of a record before replacing: `jsmith` can only be matched if "John Smith" is known. */
  const collectPeople = (value: unknown): void => {
    const mentions: PersonMention[] = []
    const visit = (inner: unknown, key: string | null, isData: boolean, depth: number): void => {
      if (typeof inner === 'string') {
        const text = inner.toWellFormed()
        const findings = findingsOf(key, text, isData)?.filter(({ type, confidence }) => confidence >= threshold(type))
        for (const mention of peopleIn(text, findings ?? [])) mentions.push(mention)
      } else if (typeof inner === 'object' && inner !== null && depth < DEEPEST) {
        for (const [name, one] of Object.entries(inner))
          visit(one, Array.isArray(inner) ? key : name, isData || CALL_DATA.has(name), depth + 1)
      }
    }
    visit(value, null, false, 0)
    people.setRecord(mentions)
  }

  /** Also replaces unpaired surrogates of truncated outputs, because one would make a whole UTF-8 file invalid. */
  const clearText = (original: string, place: ValueContext): string => {
    if (original === '') return original
    const text = original.toWellFormed()
    const findings = findingsOf(place.key, text, place.isData)
    const cleared =
      findings === null || findings.length === 0 ? findings && text : inTime(() => applyFindings(text, findings, decide(place), scan).text)
    if (cleared !== null) return cleared
    counts.unscanned += 1
    findingCount += 1
    place.context.onReplaced?.('secret', UNSCANNED, place.path)
    return UNSCANNED
  }

  /** Keys can contain values too ({"ada@corp.io": 3}); clean keys are cached. */
  const clearKey = (key: string, place: ValueContext): string => {
    if (cleanKeys.has(key)) return key
    const after = clearText(key, { ...place, key: null })
    if (after === key && cleanKeys.size < MAX_CLEAN_KEYS) cleanKeys.add(key)
    return after
  }

  const clearNumber = (number: number, place: ValueContext): number | string => {
    if (!Number.isSafeInteger(number) || Math.abs(number) < LONG_NUMBER) return number
    const text = String(number)
    const after = clearText(text, place)
    return after === text ? number : /^[1-9]\d*$/.test(after) && Number.isSafeInteger(Number(after)) ? Number(after) : after
  }

  const clearValue = (value: unknown, place: ValueContext): unknown => {
    if (typeof value === 'string') return clearText(value, place)
    if (typeof value === 'number') return clearNumber(value, place)
    if (value === null || value === undefined || typeof value === 'boolean') return value
    if (typeof value !== 'object')
      throw new TypeError(`The gate accepts only JSON values, but /${place.path.join('/')} is a ${typeof value}.`)
    if (place.path.length >= DEEPEST) throw new TypeError(`A value nested deeper than ${DEEPEST} levels cannot pass the gate.`)
    if (Array.isArray(value)) return value.map((inner: unknown, index) => clearValue(inner, { ...place, path: [...place.path, index] }))
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null)
      throw new TypeError(
        `The gate accepts only JSON values, but /${place.path.join('/')} is a ${value.constructor?.name ?? 'foreign object'}.`,
      )
    const usedKeys = new Set<string>()
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]): [string, unknown] => {
        const isData = place.isData || CALL_DATA.has(key)
        const after = clearValue(inner, { ...place, path: [...place.path, key], key, isData })
        return [uniqueKey(clearKey(key, place), usedKeys), after]
      }),
    )
  }

  const clear = <T>(value: T, context: ClearContext = {}): Cleared<T> => {
    findingCount = 0
    timedOut.clear()
    numbering.restart(() => JSON.stringify(value) ?? '')
    if (inventsPeople) collectPeople(value)
    const cleared = clearValue(value, { path: [], key: null, isData: false, context })
    const after = secrets ? withTexts(cleared, secrets.replaceIn) : cleared
    counts.records += 1
    if (findingCount > 0) counts.recordsWithFindings += 1
    return after as Cleared<T> // the only place that creates this type
  }

  return {
    purpose: input.purpose,
    clear,
    clearRequest(request, context) {
      const cleared = clear(request, context)
      return { ...cleared, seal: sealOf(cleared, input.sealKey ?? SEAL_KEY) }
    },
    clearTexts(texts) {
      findingCount = 0
      timedOut.clear()
      numbering.restart(() => texts.map(({ text }) => text).join('\n'))
      const after = texts.map(({ key, text, isData }) => clearText(text, { path: [], key, isData, context: {} }))
      counts.records += 1
      if (findingCount > 0) counts.recordsWithFindings += 1
      return secrets ? after.map(secrets.replaceIn) : after
    },
    known: () => secrets?.all() ?? [],
    report: () => ({
      policyHash: input.policyHash,
      ...counts,
      findingsByType: { ...byType },
      actions: { ...actions },
      survivors: null,
      epsilonSpent: null,
      disclosureRisk: null,
    }),
  }
}

/** The value with every text changed by `change`. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((inner: unknown) => withTexts(inner, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [change(key), withTexts(inner, change)]))
}

/** Keys whose values are the data of a call. Keys inside that data are labels. */
const CALL_DATA = new Set(['arguments', 'input'])

/** The key, with a number added if another key became the same. */
function uniqueKey(key: string, usedKeys: Set<string>): string {
  let name = key
  for (let number = 2; usedKeys.has(name); number += 1) name = `${key}_${number}`
  usedKeys.add(name)
  return name
}
