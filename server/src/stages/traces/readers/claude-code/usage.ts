import type { ResponseRow } from '../../derived.ts'
import type { RawRecord } from './record.ts'

interface ResponseUsage {
  messageId: string
  requestId: string | null
  model: string | null
  agent: string
  sidechain: boolean
  /** Numbers of the record with the larger total. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Whether a record with the response's final numbers was read. */
  final: boolean
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
    const figures = {
      input: count(usage.input_tokens),
      output: count(usage.output_tokens),
      cacheRead: count(usage.cache_read_input_tokens),
      cacheWrite: count(usage.cache_creation_input_tokens),
    }
    const final = typeof message.stop_reason === 'string' || hasFinalFigures(record.version)
    const requests = this.byMessage.get(messageId)
    const response = listOf(requests).find((one) => (one.requestId ?? '') === (requestId ?? ''))
    if (!response) {
      const first = { messageId, requestId, model: message.model ?? null, agent, sidechain, final, ...figures }
      this.byMessage.set(messageId, requests === undefined ? first : [...listOf(requests), first])
      return
    }
    response.final ||= final
    // A copy in a sub-agent's file does not assign the response to the sub-agent.
    if (response.sidechain && (!sidechain || agent < response.agent)) Object.assign(response, { sidechain, agent })
    if (compare(figures, response) > 0) Object.assign(response, figures)
  }

  /** One row per response, in the order first seen; `keep` excludes conversations that are not counted. */
  rows(keep: (agent: string) => boolean, nameOf: (agent: string) => string): ResponseRow[] {
    const rows: ResponseRow[] = []
    for (const requests of this.byMessage.values()) {
      for (const response of dedupeRequests(listOf(requests).filter((one) => keep(one.agent)))) {
        rows.push({
          key: `${response.messageId}\0${response.requestId ?? ''}`,
          model: response.model,
          agent: nameOf(response.agent),
          input: response.input,
          output: response.final ? response.output : null,
          cacheRead: response.cacheRead,
          cacheWrite: response.cacheWrite,
        })
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

type Figures = Pick<ResponseUsage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

const figuresOf = ({ input, output, cacheRead, cacheWrite }: ResponseUsage): Figures => ({ input, output, cacheRead, cacheWrite })
const totalOf = (f: Figures): number => f.input + f.output + f.cacheRead + f.cacheWrite

/** By total, then by kind, so that the order of records does not matter. */
const compare = (a: Figures, b: Figures): number =>
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
