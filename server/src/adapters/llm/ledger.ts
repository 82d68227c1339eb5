/** One budget for all requests of a run: the most that a request can cost is reserved and stored before it is sent. */
import { requestCost, type TokenPrice } from '#server/prices/request-cost.ts'
import type { Usage } from './types.ts'

/** Limits for all requests of a run together, including those of sub-agents and of earlier parts of the run. */
export interface Caps {
  /** Counts every request that is sent, unless the endpoint refused it. */
  requests?: number | null
  outputTokens?: number | null
  /** Input, including cached input, and output. */
  totalTokens?: number | null
  costUsd?: number | null
}

/** What counts towards the caps: answered requests with what they used, all others with the most that they can use. */
export interface Charged {
  requests: number
  input: number
  output: number
  usd: number
  /** Requests that the endpoint refused. */
  failures: number
}

export interface Wanted {
  /** The most input tokens that the request can have. */
  input: number
  /** The requested limit of an answer; null if the request has none. */
  output: number | null
  /** Whether a shorter answer is of no use. */
  isWhole?: boolean
  /** Answers to one request; each can reach the limit. */
  answers?: number
  price: TokenPrice | null
}

export interface Reservation {
  /** The most output tokens that each answer may have; null if no cap limits them. */
  readonly output: number | null
  /** Replaces the reservation with what was used. Null: unknown, so the request counts with its whole reservation. */
  settle(usage: Usage | null): void
  /** The endpoint refused the request, so it costs nothing. */
  release(): void
}

export type CapKind = 'turns' | 'tokens' | 'cost'
/** The budget does not cover a request. */
export class CapReached extends Error {
  readonly kind: CapKind
  constructor(kind: CapKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export interface Ledger {
  readonly charged: Readonly<Charged>
  /** Whether the caps can only be enforced with the tokens of each answer. */
  readonly needsTokens: boolean
  /** Throws a sentence if the caps cannot be enforced for a model of this price. */
  requirePrice(price: TokenPrice | null, model: string | null): void
  /** A sentence if nothing more can be sent; otherwise null. */
  reached(): string | null
  /** Waits while open requests may still give back what is missing. Throws `CapReached`, or the reason of `signal`. */
  reserve(wanted: Wanted, signal: AbortSignal): Promise<Reservation>
}

export const NOTHING_CHARGED: Charged = { requests: 0, input: 0, output: 0, usd: 0, failures: 0 }

/** An answer with fewer tokens is only requested if no other request is open. */
const USEFUL_OUTPUT = 16_384
/** Refused requests cost nothing, so only their number ends an agent that repeats them. */
const MAX_FAILURES = 1000

export const usdText = (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`

/** `save` is called with each change before it has an effect, so that a crash never gives anything back. */
export function createLedger({
  caps,
  before = NOTHING_CHARGED,
  save = () => undefined,
}: {
  caps: Caps
  before?: Charged
  save?: (charged: Charged) => void
}): Ledger {
  // prettier-ignore
  const { requests = null, outputTokens = null, totalTokens = null, costUsd = null } = caps
  const charged = { ...before }
  const waiting = new Set<() => void>()
  let open = 0

  const add = (more: Partial<Charged>, sign: 1 | -1 = 1): void => {
    for (const name of Object.keys(more) as (keyof Charged)[]) charged[name] += sign * more[name]!
    charged.usd = Math.max(0, charged.usd) // sums of fractions may end slightly below zero
    save({ ...charged })
  }
  /** Which cap leaves less than `least` tokens for each answer, or how many it leaves. */
  const outputLeft = ({ input, answers = 1, price, isWhole = false }: Wanted, least: number): number | CapReached => {
    const [asked, upTo] = isWhole ? [least * answers, 'with its answer'] : [0, 'before its answer']
    if (charged.failures >= MAX_FAILURES)
      return new CapReached('turns', `The endpoint refused ${charged.failures} requests of this run. Bash Gym sends no more of them.`)
    if (requests !== null && charged.requests >= requests) return reached('turns', `${requests} requests`)
    let left = Infinity
    const limitBy = (tokens: number, kind: CapKind, cap: string, missing: string): CapReached | null => {
      left = Math.min(left, Math.floor(tokens / answers))
      return left >= least ? null : reached(kind, cap, missing)
    }
    const tokensLeft = totalTokens === null ? Infinity : totalTokens - charged.input - charged.output
    const usdLeft = costUsd === null ? Infinity : costUsd - charged.usd
    return (
      (outputTokens !== null &&
        limitBy(outputTokens - charged.output, 'tokens', `${outputTokens} output tokens`, 'no more may be written')) ||
      (totalTokens !== null &&
        limitBy(
          tokensLeft - input,
          'tokens',
          `${totalTokens} tokens`,
          `${Math.max(0, tokensLeft)} are left, and the next request may have ${input + asked} ${upTo}`,
        )) || // prettier-ignore
      (costUsd !== null &&
        limitBy(
          answersFor(usdLeft, input, price),
          'cost',
          usdText(costUsd),
          `${usdText(Math.max(0, usdLeft))} is left, and the next request may cost ${usdText(mostUsd(price, input, asked))} ${upTo}`,
        )) || // prettier-ignore
      left
    )
  }
  /** Null: it may fit when an open request has ended. */
  const tryReserve = (wanted: Wanted): Reservation | null => {
    const { input, output: asked, isWhole = false, answers = 1, price } = wanted
    const useful = Math.min(asked ?? USEFUL_OUTPUT, USEFUL_OUTPUT)
    const least = isWhole ? (asked ?? useful) : open === 0 ? 1 : useful
    const left = outputLeft(wanted, least)
    if (typeof left !== 'number') {
      if (open > 0) return null
      throw left
    }
    const output = Math.min(asked ?? Infinity, left)
    const most = output === Infinity ? 0 : output * answers
    const reserved = { requests: 1, input, output: most, usd: mostUsd(price, input, most) }
    let isOpen = true
    const end = (change: () => void) => {
      if (!isOpen) return
      isOpen = false
      open -= 1
      change()
      for (const wake of waiting) wake()
    }
    add(reserved)
    open += 1
    return {
      output: left === Infinity ? null : output,
      settle: (usage) =>
        end(() => {
          if (!usage) return
          const { input: usedInput, output: usedOutput } = usage
          const usd = requestCost(price, usage) ?? 0
          add({ input: usedInput - input, output: usedOutput - most, usd: usd - reserved.usd })
        }),
      release: () => end(() => add({ requests: -1, input: -input, output: -most, usd: -reserved.usd, failures: 1 })),
    }
  }

  return {
    charged,
    needsTokens: (costUsd ?? totalTokens ?? outputTokens) !== null,
    requirePrice(price, model) {
      if (costUsd === null || price !== null) return
      throw new CapReached(
        'cost',
        `The cap of ${usdText(costUsd)} cannot be enforced: the price of ${model ?? 'the model'} is unknown. Enter its price in Settings, or cap tokens instead.`,
      )
    },
    reached() {
      const left = outputLeft({ input: 0, output: null, price: null }, 1)
      return left instanceof CapReached ? left.message : null
    },
    async reserve(wanted, signal) {
      for (;;) {
        signal.throwIfAborted()
        const reservation = tryReserve(wanted)
        if (reservation) return reservation
        const { promise, resolve } = Promise.withResolvers<void>()
        const wake = () => resolve()
        waiting.add(wake)
        signal.addEventListener('abort', wake)
        await promise
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
      }
    },
  }
}

const reached = (kind: CapKind, cap: string, missing = '') =>
  new CapReached(kind, `This run has reached its cap of ${cap}${missing === '' ? '' : `: ${missing}`}. Bash Gym sends no more of its requests.`) // prettier-ignore

/** Input may be written to a cache, which costs more than other input. */
const inputPerMTok = ({ inputPerMTok: input, cacheReadPerMTok = 0, cacheWritePerMTok = 0 }: TokenPrice) =>
  Math.max(input, cacheReadPerMTok, cacheWritePerMTok)

const mostUsd = (price: TokenPrice | null, input: number, output: number): number =>
  price === null ? 0 : (input * inputPerMTok(price) + output * price.outputPerMTok) / 1_000_000

/** How many output tokens an amount pays for after the input; negative if not even that. */
function answersFor(usd: number, input: number, price: TokenPrice | null): number {
  const left = usd - mostUsd(price, input, 0)
  if (left < 0 || usd <= 0) return -1
  return price === null || price.outputPerMTok === 0 ? Infinity : (left * 1_000_000) / price.outputPerMTok
}
