import type { KeptReason, Saved, SavedAmounts, SavingsKind, SavingsSums, SessionSavings } from '#contracts/entities/savings.ts'
import { SavingsKind as Kinds } from '#contracts/entities/savings.ts'
import type { Savable } from './work.ts'

export const plus = (a: Saved | null, b: Saved | null): Saved | null =>
  a && b ? { value: a.value + b.value, low: a.low + b.low, high: a.high + b.high } : null

/** Adds up conversations. What is unknown of one is unknown of a session, and left out of the sums over all. */
class Adding {
  conversations = 0
  steps = 0
  usd: Saved | null = null
  tokens: Saved | null = null
  ms: Saved | null = null

  add(steps: number, { usd, tokens, ms }: Savable): void {
    this.conversations += 1
    this.steps += steps
    for (const [name, more] of [
      ['usd', usd],
      ['tokens', tokens],
      ['ms', ms],
    ] as const)
      if (more) this[name] = plus(this[name] ?? ZERO, more)
  }

  get amounts(): SavedAmounts {
    const { conversations, steps, usd, tokens, ms } = this
    return { conversations, steps, usd, tokens, ms }
  }
}
const ZERO: Saved = { value: 0, low: 0, high: 0 }

export interface Taken extends Savable {
  kind: SavingsKind
  steps: number
}

export interface SessionHead {
  traceId: string
  title: string | null
  at: string | null
  costUsd: number | null
}

/** The rows of sessions, and the sums over all. */
export class Sums {
  readonly rows: SessionSavings[] = []
  readonly #all = new Adding()
  readonly #kinds = new Map<SavingsKind, Adding>()
  readonly #kept = new Map<KeptReason, number>()
  readonly #months = new Map<string, { usd: Saved | null; costUsd: number | null }>()
  #sessions = 0
  #costUsd: number | null = null
  #unpriced = 0

  session(head: SessionHead, taken: readonly Taken[], kept: readonly KeptReason[]): void {
    this.#sessions += 1
    if (head.costUsd !== null) this.#costUsd = (this.#costUsd ?? 0) + head.costUsd
    for (const reason of kept) this.#kept.set(reason, (this.#kept.get(reason) ?? 0) + 1)
    const of = new Adding()
    for (const one of taken) {
      for (const adding of [of, this.#all, this.#ofKind(one.kind)]) adding.add(one.steps, one)
      if (one.usd === null) this.#unpriced += 1
    }
    const whole = (name: 'usd' | 'tokens' | 'ms') => (taken.some((one) => one[name] === null) ? null : of[name])
    const usd = whole('usd')
    this.#month(head, of.usd)
    if (taken.length === 0) return
    this.rows.push({
      ...head,
      kinds: [...new Set(taken.map(({ kind }) => kind))],
      conversations: of.conversations,
      steps: of.steps,
      usd,
      tokens: whole('tokens'),
      ms: whole('ms'),
      rereadUsd: usd && taken.reduce((sum, { rereadUsd }) => sum + rereadUsd, 0),
    })
  }

  #ofKind(kind: SavingsKind): Adding {
    const adding = this.#kinds.get(kind) ?? new Adding()
    this.#kinds.set(kind, adding)
    return adding
  }

  #month({ at, costUsd }: SessionHead, usd: Saved | null): void {
    if (at === null) return
    const month = this.#months.get(at.slice(0, 7)) ?? { usd: null, costUsd: null }
    if (usd) month.usd = plus(month.usd ?? ZERO, usd)
    if (costUsd !== null) month.costUsd = (month.costUsd ?? 0) + costUsd
    this.#months.set(at.slice(0, 7), month)
  }

  get sums(): SavingsSums {
    return {
      sessions: this.#sessions,
      withSteps: this.rows.length,
      costUsd: this.#costUsd,
      ...this.#all.amounts,
      unpriced: this.#unpriced,
      byKind: Kinds.options.flatMap((kind) => {
        const adding = this.#kinds.get(kind)
        return adding ? { kind, ...adding.amounts } : []
      }),
      kept: [...this.#kept]
        .map(([reason, conversations]) => ({ reason, conversations }))
        .toSorted((a, b) => b.conversations - a.conversations),
      byMonth: [...this.#months].map(([month, of]) => ({ month, ...of })).toSorted((a, b) => (a.month < b.month ? -1 : 1)),
    }
  }
}
