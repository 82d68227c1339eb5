import type { ResponseRow } from '../../derived.ts'
import type { RawRecord } from './record.ts'

interface Seen {
  messageId: string
  requestId: string | null
  model: string | null
  agent: string
  sidechain: boolean
  /** Figures of the record with the larger total. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Some record of the response carried its final figures. */
  final: boolean
}

/** Before this version a record could carry the first streamed figure of a response instead of the last. */
const FINAL_FIGURES_SINCE = [2, 1, 97]

/**
 * Usage of API responses, each counted once: a response is written as one record per content block, each with the
 * whole usage (claude-code.md §6.5). The record with the larger total stands.
 */
export class Responses {
  /** By message id; more than one where requests share it. */
  private readonly byMessage = new Map<string, Seen | Seen[]>()

  /** True when a figure changed. */
  add(record: RawRecord, agent: string, sidechain: boolean, fallbackId: string): boolean {
    const message = record.message
    const usage = message?.usage
    // The client's own error messages carry zeros and are no answer of a model.
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
    // A copy in a sub-agent's file does not make the response the sub-agent's.
    if (seen.sidechain && (!sidechain || agent < seen.agent)) Object.assign(seen, { sidechain, agent })
    if (compare(figures, seen) <= 0) return seen.final !== before
    Object.assign(seen, figures)
    return true
  }

  /** One row a response, in the order in which they were first seen; `keep` leaves out conversations that count nowhere. */
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

/** One value is kept as itself: a list for each of many would be most of what is held. */
function listOf<T>(kept: T | T[] | undefined): T[] {
  if (kept === undefined) return []
  return Array.isArray(kept) ? kept : [kept]
}

/**
 * Of the requests that share a message id: a record without request id is the same response as one with; a side
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

/** By total, then by kind, so that which of two records came first does not matter. */
const compare = (a: Figures, b: Figures): number =>
  totalOf(a) - totalOf(b) || a.output - b.output || a.input - b.input || a.cacheRead - b.cacheRead

/** Beyond this no figure is a count of tokens of one response, and sums would leave the integers. */
const MOST_TOKENS = 1e12

const count = (value: unknown): number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= MOST_TOKENS ? (value as number) : 0

/** True from 2.1.97 on, and where the record names no version. */
function hasFinalFigures(version: string | undefined): boolean {
  if (version === undefined) return true
  const parts = version.split('.').map(Number)
  for (const [index, least] of FINAL_FIGURES_SINCE.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return !(part < least)
  }
  return true
}
