/** What a model is asked: one question, one answer. */
export interface ChatRequest {
  model: string
  system: string
  user: string
  /** The most tokens that the answer may have. */
  maxTokens: number
}

export interface Completion {
  text: string
  /** `length`: cut off at `maxTokens`. */
  stopped: 'end' | 'length' | 'refusal' | 'other'
  /** As the provider counts and bills. */
  usage: { input: number; output: number }
}

export type FailureKind = 'unauthorized' | 'refused' | 'rate_limited' | 'overloaded' | 'unreachable' | 'timeout' | 'bad_answer'

const SENTENCES: Record<FailureKind, string> = {
  unauthorized: 'The provider does not take this key.',
  refused: 'The provider refused the request.',
  rate_limited: 'The provider asks to slow down.',
  overloaded: 'The provider failed to answer.',
  unreachable: 'The provider could not be reached.',
  timeout: 'The provider did not answer in time.',
  bad_answer: 'The answer of the provider could not be read.',
}

/** Trying again may help. */
const PASSING: ReadonlySet<FailureKind> = new Set(['rate_limited', 'overloaded', 'unreachable', 'timeout', 'bad_answer'])

/** A request without an answer. Neither the key nor the text of the request is in it. */
export class ProviderError extends Error {
  readonly kind: FailureKind
  readonly status: number | null
  /** ms, as the provider asked for. */
  readonly retryAfterMs: number | null
  /** Whether tokens may have been used up: the request broke off after it was sent. */
  readonly mayCost: boolean

  constructor(
    kind: FailureKind,
    options: { detail?: string; status?: number; retryAfterMs?: number | null; mayCost?: boolean; cause?: unknown } = {},
  ) {
    const { detail, status, cause } = options
    super(`${SENTENCES[kind]}${status === undefined ? '' : ` (HTTP ${status})`}${detail ? ` ${detail}` : ''}`, { cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.status = status ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
    this.mayCost = options.mayCost ?? false
  }

  get passing(): boolean {
    return PASSING.has(this.kind)
  }
}

/** How one family of endpoints is spoken to. */
export interface Dialect {
  path: string
  headers: (key: string | null) => Record<string, string>
  body: (request: ChatRequest) => unknown
  /** Null where the answer does not have the shape. */
  read: (answer: unknown) => Completion | null
  /** The provider's own words about a failure. */
  reason: (answer: unknown) => string | null
}
