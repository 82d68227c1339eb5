import { ProviderSettings } from '#contracts/entities/provider.ts'

export type Limit = 'requestsPerMinute' | 'concurrency' | 'timeoutSec'

export const LIMITS: Record<Limit, { label: string; hint: string }> = {
  requestsPerMinute: { label: 'Requests per minute', hint: '1 to 10,000. Rate limits of the provider are respected as well.' },
  concurrency: { label: 'Concurrent requests', hint: '1 to 32.' },
  timeoutSec: { label: 'Timeout (seconds)', hint: '1 to 600. After that the request fails and is retried.' },
}

/** The error of a limit typed by the user, or null. */
export function readLimit(name: Limit, text: string): string | null {
  const parsed = ProviderSettings.shape[name].unwrap().safeParse(text.trim() === '' ? Number.NaN : Number(text))
  return parsed.success ? null : `${LIMITS[name].label}: ${LIMITS[name].hint.split('.')[0]}.`
}
