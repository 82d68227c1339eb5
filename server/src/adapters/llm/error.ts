export type FailureKind = 'unauthorized' | 'refused' | 'rate_limited' | 'overloaded' | 'unreachable' | 'timeout' | 'bad_answer'

const SENTENCES: Record<FailureKind, string> = {
  unauthorized: 'The provider does not accept this key.',
  refused: 'The provider refused the request.',
  rate_limited: 'The provider asks to slow down.',
  overloaded: 'The provider failed to answer.',
  unreachable: 'The provider could not be reached.',
  timeout: 'The provider did not answer in time.',
  bad_answer: 'The answer of the provider could not be read.',
}
const HINTS: Record<FailureKind, string> = {
  unauthorized: 'Check the key of this provider.',
  refused: 'Check the name of the model and the request.',
  rate_limited: 'Try again later, or allow fewer requests per minute.',
  overloaded: 'Try again later.',
  unreachable: 'Check the address of the provider and the network, then try again.',
  timeout: 'Try again later, or allow more time.',
  bad_answer: 'Check that the address belongs to an API that Bash Gym supports.',
}

/** Failures that a retry may solve. */
const TRANSIENT: ReadonlySet<FailureKind> = new Set(['rate_limited', 'overloaded', 'unreachable', 'timeout', 'bad_answer'])

const MAX_REASON_CHARS = 300

export interface Failure {
  /** Host and port of the endpoint. */
  provider?: string
  status?: number
  detail?: string
  /** The provider's message. */
  reason?: string | null
  tooLong?: { tokens: number | null; limit: number } | null
  retryAfterMs?: number | null
  mayCost?: boolean
}

/** A request without an answer. Its message contains neither the key nor the text of the request. */
export class ProviderError extends Error {
  readonly kind: FailureKind
  /** Host and port; null if nothing was sent. */
  readonly provider: string | null
  readonly status: number | null
  /** What the user can do. */
  readonly hint: string
  /** Tokens of a request that is too long for the model, and the model's limit. */
  readonly tooLong: Failure['tooLong']
  /** Wait that the provider requests, ms. */
  readonly retryAfterMs: number | null
  /** Whether tokens may have been charged, because the request failed after it was sent. */
  readonly mayCost: boolean
  readonly #reason: string | null

  constructor(kind: FailureKind, failure: Failure = {}) {
    const { status, detail, reason } = failure
    const more = detail ?? (reason ? `It says: ${reason.slice(0, MAX_REASON_CHARS)}` : '')
    super(`${SENTENCES[kind]}${status === undefined ? '' : ` (HTTP ${status})`}${more && ` ${more}`}`)
    this.name = 'ProviderError'
    this.kind = kind
    this.provider = failure.provider ?? null
    this.status = status ?? null
    this.hint = HINTS[kind]
    this.#reason = reason ?? null
    this.tooLong = failure.tooLong ?? null
    this.retryAfterMs = failure.retryAfterMs ?? null
    this.mayCost = failure.mayCost ?? false
  }

  /** The provider's message or null. A getter, so that logs do not show it: it may repeat text of the request. */
  get reason(): string | null {
    return this.#reason
  }

  get isTransient(): boolean {
    return TRANSIENT.has(this.kind)
  }
}

export function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 429) return 'rate_limited'
  if (status === 408 || status >= 500) return 'overloaded'
  return 'refused'
}
