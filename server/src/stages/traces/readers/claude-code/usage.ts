import type { ResponseRow } from '../../derived.ts'
import type { RawRecord } from './record.ts'

interface Seen {
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
  /** Some record of the response has its final numbers. */
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
  private readonly byMessage = new Map<string, Seen | Seen[]>()

  /** True if a number changed. */
  add(record: RawRecord, agent: string, sidechain: boolean, fallbackId: string): boolean {
    const message = record.message
    const usage = message?.usage
    // Error messages of the client have zeros and are not answers of a model.
    if (!message || !usage || message.model === '<synthetic>') return false
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
    const seen = listOf(requests).find((one) => (one.requestId ?? '') === (requestId ?? ''))
    if (!seen) {
      const first = { messageId, requestId, model: message.model ?? null, agent, sidechain, final, ...figures }
      this.byMessage.set(messageId, requests === undefined ? first : [...listOf(requests), first])
      return true
    }
    const before = seen.final
    seen.final ||= final
    // A copy in a sub-agent's file does not assign the response to the sub-agent.
    if (seen.sidechain && (!sidechain || agent < seen.agent)) Object.assign(seen, { sidechain, agent })
    if (compare(figures, seen) <= 0) return seen.final !== before
    Object.assign(seen, figures)
    return true
  }

  /** One row per response, in the order first seen; `keep` excludes conversations that are not counted. */
  rows(keep: (agent: string) => boolean, nameOf: (agent: string) => string): ResponseRow[] {
    const rows: ResponseRow[] = []
    for (const requests of this.byMessage.values()) {
      for (const seen of dedupeRequests(listOf(requests).filter((one) => keep(one.agent)))) {
        rows.push({
          key: `${seen.messageId}\0${seen.requestId ?? ''}`,
          model: seen.model,
          agent: nameOf(seen.agent),
          input: seen.input,
          output: seen.final ? seen.output : null,
          cacheRead: seen.cacheRead,
          cacheWrite: seen.cacheWrite,
        })
      }
    }
    return rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }
}

/** A single value is stored without a list, which saves most of the memory. */
function listOf<T>(kept: T | T[] | undefined): T[] {
  if (kept === undefined) return []
  return Array.isArray(kept) ? kept : [kept]
}

/**
 * Of the requests that share a message id: a record without request id is the same response as one with it; a side
 * conversation's copy of a message of its parent (`/btw`: same message, new request id) is dropped.
 */
function dedupeRequests(all: Seen[]): Seen[] {
  if (all.length < 2) return all
  const named = all.filter((one) => one.requestId !== null)
  const own = named.filter((one) => !one.sidechain)
  const kept = own.length > 0 ? own : named
  const nameless = all.find((one) => one.requestId === null)
  if (!nameless || kept.length === 0) return kept.length > 0 ? kept : all
  const [first, ...rest] = kept
  if (compare(nameless, first!) <= 0) return kept
  return [{ ...first!, ...figuresOf(nameless), final: first!.final || nameless.final }, ...rest]
}

type Figures = Pick<Seen, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

const figuresOf = ({ input, output, cacheRead, cacheWrite }: Seen): Figures => ({ input, output, cacheRead, cacheWrite })
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
