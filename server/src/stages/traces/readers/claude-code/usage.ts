import type { ResponseRow } from '../../derived.ts'
import { isObject, objectOf, textOrNull, timeOf, type RawRecord, type RawUsage } from './record.ts'

/** Numbers of one record. */
interface Figures {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  cacheWrite1h: number
  webSearches: number
  isFast: boolean
  /** Calls of other models within the response, which its own numbers do not include. */
  inner: readonly (Omit<Figures, 'inner'> & { model: string | null })[]
}

/** With the numbers of the record with the larger total. */
interface ResponseUsage extends Figures {
  messageId: string
  requestId: string | null
  model: string | null
  agent: string
  sidechain: boolean
  /** Whether a record with the response's final numbers was read. */
  final: boolean
  /** Of its first record. */
  at: number | null
}

/** Before this version a record could have the first streamed numbers of a response instead of the last. */
const FINAL_FIGURES_SINCE = [2, 1, 97]

/**
 * Usage of API responses, each counted once: a response is written as one record per content block, each with the
 * whole usage. The record with the larger total wins.
 */
export class Responses {
  /** By message id; several if requests share it. */
  private readonly byMessage = new Map<string, ResponseUsage | ResponseUsage[]>()

  add(record: RawRecord, agent: string, sidechain: boolean, fallbackId: string): void {
    const message = record.message
    const usage = message?.usage
    // Error messages of the client have zeros and are not answers of a model.
    if (!message || !usage || message.model === '<synthetic>') return
    const messageId = message.id ?? fallbackId
    const requestId = record.requestId ?? null
    const figures: Figures = { ...figuresIn(usage), inner: innerCalls(usage) }
    const final = typeof message.stop_reason === 'string' || hasFinalFigures(record.version)
    const at = timeOf(record.timestamp)
    const requests = this.byMessage.get(messageId)
    const response = listOf(requests).find((one) => (one.requestId ?? '') === (requestId ?? ''))
    if (!response) {
      const first = { messageId, requestId, model: message.model ?? null, agent, sidechain, final, at, ...figures }
      this.byMessage.set(messageId, requests === undefined ? first : [...listOf(requests), first])
      return
    }
    response.final ||= final
    if (at !== null) response.at = Math.min(response.at ?? at, at)
    // A copy in a sub-agent's file does not assign the response to the sub-agent.
    if (response.sidechain && (!sidechain || agent < response.agent)) Object.assign(response, { sidechain, agent })
    if (compare(figures, response) > 0) Object.assign(response, figures)
  }

  /** One row per response, in the order first seen; `keep` excludes conversations that are not counted. */
  rows(keep: (agent: string) => boolean, nameOf: (agent: string) => string): ResponseRow[] {
    const rows: ResponseRow[] = []
    for (const requests of this.byMessage.values()) {
      for (const response of dedupeRequests(listOf(requests).filter((one) => keep(one.agent)))) {
        const key = `${response.messageId}\0${response.requestId ?? ''}`
        // As the reader names it: with the request id if another request has this message id.
        const isFirst = listOf(requests)[0]?.requestId === response.requestId || response.requestId === null
        const messageId = isFirst ? response.messageId : `${response.messageId}~${response.requestId}`
        const agent = nameOf(response.agent)
        const { at } = response
        rows.push({
          key,
          model: response.model,
          agent,
          at,
          messageId,
          ...billed(response),
          output: response.final ? response.output : null,
        })
        for (const [index, call] of response.inner.entries())
          rows.push({ key: `${key}\0${index}`, model: call.model ?? response.model, agent, at, messageId, ...billed(call) })
      }
    }
    return rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }
}

/** A single value is stored without a list, which saves most of the memory. */
function listOf<T>(value: T | T[] | undefined): T[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/**
 * Requests that share a message id. A record without a request id is the same response as one with it. A side
 * conversation's copy of its parent's message (`/btw`: same message, new request id) is dropped.
 */
function dedupeRequests(requests: ResponseUsage[]): ResponseUsage[] {
  if (requests.length < 2) return requests
  const withId = requests.filter((one) => one.requestId !== null)
  const fromMain = withId.filter((one) => !one.sidechain)
  const candidates = fromMain.length > 0 ? fromMain : withId
  const withoutId = requests.find((one) => one.requestId === null)
  if (!withoutId || candidates.length === 0) return candidates.length > 0 ? candidates : requests
  const [first, ...rest] = candidates
  if (compare(withoutId, first!) <= 0) return candidates
  return [{ ...first!, ...figuresOf(withoutId), final: first!.final || withoutId.final }, ...rest]
}

type Counts = Omit<Figures, 'inner'>

const figuresOf = ({ inner, ...figures }: ResponseUsage): Figures => ({ ...countsOf(figures), inner })
const countsOf = ({ input, output, cacheRead, cacheWrite, cacheWrite1h, webSearches, isFast }: Counts): Counts => ({
  input,
  output,
  cacheRead,
  cacheWrite,
  cacheWrite1h,
  webSearches,
  isFast,
})
const totalOf = (f: Counts): number => f.input + f.output + f.cacheRead + f.cacheWrite

/** The usual columns; the rest only where there is some, so that rows of older clients stay small. */
const billed = ({ input, output, cacheRead, cacheWrite, cacheWrite1h, webSearches, isFast }: Counts) => ({
  input,
  output,
  cacheRead,
  cacheWrite,
  ...(cacheWrite1h > 0 && { cacheWrite1h }),
  ...(webSearches > 0 && { webSearches }),
  ...(isFast && { isFast }),
})

function figuresIn(usage: RawUsage): Counts {
  const writes = objectOf(usage.cache_creation)
  const cacheWrite1h = count(writes.ephemeral_1h_input_tokens)
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite: Math.max(count(usage.cache_creation_input_tokens), cacheWrite1h + count(writes.ephemeral_5m_input_tokens)),
    cacheWrite1h,
    webSearches: count(objectOf(usage.server_tool_use).web_search_requests),
    isFast: usage.speed === 'fast',
  }
}

/** Iterations of these types are not in the response's own numbers: an advisor's answer, and a compaction by the API. */
const BILLED_ON_TOP: ReadonlySet<unknown> = new Set(['advisor_message', 'compaction'])

function innerCalls({ iterations }: RawUsage): Figures['inner'] {
  if (!Array.isArray(iterations)) return NO_CALLS
  const calls = iterations.filter((one): one is Record<string, unknown> => isObject(one) && BILLED_ON_TOP.has(one.type))
  return calls.length === 0 ? NO_CALLS : calls.map((one) => ({ ...figuresIn(one), model: textOrNull(one.model) }))
}
const NO_CALLS: Figures['inner'] = []

/** By total, then by kind, so that the order of records does not matter. */
const compare = (a: Counts, b: Counts): number =>
  totalOf(a) - totalOf(b) || a.output - b.output || a.input - b.input || a.cacheRead - b.cacheRead

/** Maximum plausible token count of one response; larger ones would also overflow sums. */
const MAX_TOKENS = 1e12

const count = (value: unknown): number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_TOKENS ? (value as number) : 0

/** True from 2.1.97 on, and for records without a version. */
function hasFinalFigures(version: string | undefined): boolean {
  if (version === undefined) return true
  const parts = version.split('.').map(Number)
  for (const [index, least] of FINAL_FIGURES_SINCE.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return !(part < least)
  }
  return true
}
