import { setTimeout as sleep } from 'node:timers/promises'
import { ProviderError } from './error.ts'

export interface RetryOptions {
  signal: AbortSignal
  attempts?: number
  firstWaitMs?: number
  /** Between 0 and 1, spreads the waits of parallel requests. */
  chance?: () => number
}

const MAX_WAIT_MS = 60_000

/**
 * Retries after transient failures. Waits `firstWaitMs`, doubled each time, or as long as the provider requests; if that
 * is more than a minute it does not retry. Throws the last failure.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { signal, attempts = 4, firstWaitMs = 1000, chance = Math.random }: RetryOptions,
): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ProviderError) || !error.isTransient || made >= attempts) throw error
      if ((error.retryAfterMs ?? 0) > MAX_WAIT_MS) throw error
      const backoff = Math.min(MAX_WAIT_MS, firstWaitMs * 2 ** (made - 1)) * (0.5 + chance() / 2)
      await sleep(error.retryAfterMs ?? backoff, undefined, { signal })
    }
  }
}
