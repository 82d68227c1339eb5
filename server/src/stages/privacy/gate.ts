import { lookup } from '#contracts/lookup.ts'
import { SECRET_TYPES, type Finding, type PiiType, type PrivacyPolicy, type PrivacyReport } from '#contracts/entities/privacy.ts'
import { SEAL_KEY, sealOf, type Cleared, type ClearedRequest } from '#server/adapters/llm/cleared.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'
import { detect, inTime, type KnownNames, type Scan } from './detector.ts'
import { rememberingScan } from './labelled.ts'
import { peopleIn } from './people-in.ts'
import {
  applyFindings,
  createNumbering,
  createPeople,
  createReplacer,
  isLabel,
  redactLink,
  strategyOf,
  UNSCANNED,
  type Met,
} from './replace/index.ts'
import { resolve, SECRET_CONFIDENCE, type ActiveDecisions, valueDigest } from './decisions.ts'

export type { Cleared } from '#server/adapters/llm/cleared.ts'

/** Everything a gate needs, as plain data: it is opened in the worker that does the work. */
export interface GateInput {
  policy: PrivacyPolicy
  policyHash: string
  decisions: ActiveDecisions
  /** Of the data set: replacements are computed from it. */
  key: Uint8Array
  /** Of the archive: identifies values for decisions; never written. */
  valueKey: Uint8Array
  /** Of the server process: proves to its model clients that a gate in a worker cleared a request. */
  sealKey?: Uint8Array
  /** What leaves and why: "data set fixes v3". Not part of the report. */
  purpose: string
  /** Names of this machine and its user. */
  names?: KnownNames
  /** The reason for leaving personal data in; secrets are redacted anyway. */
  off?: string
}

export interface ClearContext {
  traceId?: string | null
  project?: string | null
  stepId?: string | null
  /** For a value made of several entries: the entry of a position. */
  stepOf?: (path: readonly (string | number)[]) => string | null
  /** Called with every replacement of a finding. */
  onReplaced?: (type: PiiType, instead: string, path: readonly (string | number)[]) => void
}

export interface Gate {
  readonly purpose: string
  /** Applies the policy to every text and key of the value, as valid Unicode; counts as one record of the report. */
  clear<T>(value: T, context?: ClearContext): Cleared<T>
  /** The same for a request to a model, with the proof that its client requires. */
  clearRequest<Request extends ChatRequest>(request: Request, context?: ClearContext): ClearedRequest<Request>
  /** What was done so far. `survivors` is measured later on the written rows (residual.ts), so it is null here. */
  report(): PrivacyReport
}

/** Integers from this size on may be card, account or phone numbers. */
const LONG_NUMBER = 1_000_000
const DEEPEST = 500
const KEYS_KNOWN = 10_000

/** `find` replaces the detectors in tests. */
export function openGate(input: GateInput, find: Scan = detect): Gate {
  const { policy, decisions, off } = input
  const valueKey = Buffer.from(input.valueKey)
  const numbering = createNumbering()
  const key = Buffer.from(input.key)
  const people = createPeople(key)
  const replace = createReplacer(key, policy, numbering, people)
  const wanted = off === undefined ? new Set<PiiType>([...policy.types, ...SECRET_TYPES]) : new Set<PiiType>(SECRET_TYPES)
  const options = {
    types: [...wanted],
    customRules: policy.customRules.filter(({ type }) => wanted.has(type)),
    allowed: new Set(policy.allowed),
    ...(input.names && { names: input.names }),
  }
  const scan = (text: string): Finding[] => find(text, options)
  const counts = { records: 0, recordsWithFindings: 0, belowThreshold: 0, unscanned: 0 }
  const byType: Record<string, number> = lookup()
  const actions: Record<string, number> = lookup()
  const cleanKeys = new Set<string>()
  let found = 0

  interface Place {
    path: (string | number)[]
    key: string | null
    isData: boolean
    context: ClearContext
  }

  const threshold = (type: PiiType) =>
    SECRET_TYPES.includes(type) ? Math.min(SECRET_CONFIDENCE, policy.confidenceThreshold) : policy.confidenceThreshold

  /** The link with its credentials replaced by labels; null if that is impossible and the whole link must be replaced. */
  const linkAt = (place: Place, link: string): string | null =>
    redactLink(link, {
      scan,
      decide: decide(place),
      label(type, value) {
        const instead = replace(type, value, 'redact')
        place.context.onReplaced?.(type, instead, place.path)
        return instead
      },
    })

  const decide = (place: Place) => (finding: Finding, value: string) => {
    if (isLabel(value)) return null
    const { type } = finding
    const { context } = place
    const choice = resolve(decisions, {
      type,
      digest: valueDigest(valueKey, type, value),
      stepId: context.stepOf?.(place.path) ?? context.stepId ?? null,
      project: context.project ?? null,
    })
    if (!choice && finding.confidence < threshold(type)) {
      counts.belowThreshold += 1
      return null
    }
    if (choice?.action === 'keep') return counted(type, 'kept', null)
    const strategy = choice?.action === 'redact' ? 'redact' : (choice?.strategy ?? strategyOf(policy, type))
    const link = type === 'connection_string' && strategy === 'redact' ? linkAt(place, value) : null
    if (link !== null) return counted(type, strategy, link)
    const instead = replace(type, value, strategy)
    if (instead === value) return null
    context.onReplaced?.(type, instead, place.path)
    return counted(type, strategy, instead)
  }
  const counted = (type: PiiType, action: string, instead: string | null) => {
    found += 1
    byType[type] = (byType[type] ?? 0) + 1
    actions[action] = (actions[action] ?? 0) + 1
    return instead
  }

  const findingsIn = rememberingScan(scan)
  /** Texts of the record whose scan took too long, so that they are not tried again. */
  const tooLong = new Set<string>()
  const read = (key: string | null, text: string, isData: boolean): readonly Finding[] | null => {
    const findings = tooLong.has(text) ? null : inTime(() => findingsIn(key, text, isData))
    if (findings === null) tooLong.add(text)
    return findings
  }

  const makesPeopleUp = (['person', 'email', 'username'] as const).some(
    (type) => wanted.has(type) && strategyOf(policy, type) === 'synthetic',
  )
  /** Collects the people of a record first: `jsmith` can only be matched after "John Smith" was read. */
  const meetPeople = (value: unknown): void => {
    const met: Met[] = []
    const visit = (inner: unknown, key: string | null, isData: boolean, depth: number): void => {
      if (typeof inner === 'string') {
        const text = inner.toWellFormed()
        const findings = read(key, text, isData)?.filter(({ type, confidence }) => confidence >= threshold(type))
        for (const one of peopleIn(text, findings ?? [])) met.push(one)
      } else if (typeof inner === 'object' && inner !== null && depth < DEEPEST) {
        for (const [name, one] of Object.entries(inner)) visit(one, Array.isArray(inner) ? key : name, isData || DATA.has(name), depth + 1)
      }
    }
    visit(value, null, false, 0)
    people.meet(met)
  }

  /** Also replaces half surrogate pairs, left by truncated outputs: one would make a whole UTF-8 file invalid. */
  const clearText = (given: string, place: Place): string => {
    if (given === '') return given
    const text = given.toWellFormed()
    const findings = read(place.key, text, place.isData)
    const after =
      findings === null || findings.length === 0 ? findings && text : inTime(() => applyFindings(text, findings, decide(place), scan).text)
    if (after !== null) return after
    counts.unscanned += 1
    found += 1
    place.context.onReplaced?.('secret', UNSCANNED, place.path)
    return UNSCANNED
  }

  /** Keys can contain values too ({"ada@corp.io": 3}); clean keys are cached. */
  const clearKey = (key: string, place: Place): string => {
    if (cleanKeys.has(key)) return key
    const after = clearText(key, { ...place, key: null })
    if (after === key && cleanKeys.size < KEYS_KNOWN) cleanKeys.add(key)
    return after
  }

  const clearNumber = (number: number, place: Place): number | string => {
    if (!Number.isSafeInteger(number) || Math.abs(number) < LONG_NUMBER) return number
    const text = String(number)
    const after = clearText(text, place)
    return after === text ? number : /^[1-9]\d*$/.test(after) && Number.isSafeInteger(Number(after)) ? Number(after) : after
  }

  const walk = (value: unknown, place: Place): unknown => {
    if (typeof value === 'string') return clearText(value, place)
    if (typeof value === 'number') return clearNumber(value, place)
    if (value === null || value === undefined || typeof value === 'boolean') return value
    if (typeof value !== 'object')
      throw new TypeError(`The gate accepts only JSON values, but /${place.path.join('/')} is a ${typeof value}.`)
    if (place.path.length >= DEEPEST) throw new TypeError(`A value nested deeper than ${DEEPEST} levels cannot pass the gate.`)
    if (Array.isArray(value)) return value.map((inner: unknown, index) => walk(inner, { ...place, path: [...place.path, index] }))
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null)
      throw new TypeError(
        `The gate accepts only JSON values, but /${place.path.join('/')} is a ${value.constructor?.name ?? 'foreign object'}.`,
      )
    const used = new Set<string>()
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]): [string, unknown] => {
        const isData = place.isData || DATA.has(key)
        const after = walk(inner, { ...place, path: [...place.path, key], key, isData })
        return [unused(clearKey(key, place), used), after]
      }),
    )
  }

  const clear = <T>(value: T, context: ClearContext = {}): Cleared<T> => {
    found = 0
    tooLong.clear()
    numbering.restart(() => JSON.stringify(value) ?? '')
    if (makesPeopleUp) meetPeople(value)
    const after = walk(value, { path: [], key: null, isData: false, context })
    counts.records += 1
    if (found > 0) counts.recordsWithFindings += 1
    return after as Cleared<T> // the only place that creates this type
  }

  return {
    purpose: input.purpose,
    clear,
    clearRequest(request, context) {
      const cleared = clear(request, context)
      return { ...cleared, seal: sealOf(cleared, input.sealKey ?? SEAL_KEY) }
    },
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

/** Below these keys is data of a call, whose keys are labels. */
const DATA = new Set(['arguments', 'input'])

/** Adds a number if two keys became the same. */
function unused(key: string, used: Set<string>): string {
  let name = key
  for (let number = 2; used.has(name); number += 1) name = `${key}_${number}`
  used.add(name)
  return name
}
