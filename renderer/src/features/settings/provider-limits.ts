import { ProviderSettings } from '#contracts/entities/provider.ts'

export type Limit = 'requestsPerMinute' | 'concurrency' | 'timeoutSec'

export const LIMITS: Record<Limit, { label: string; hint: string }> = {
  requestsPerMinute: { label: 'Requests a minute', hint: '1 to 10,000. A provider that asks to slow down is heard beside this.' },
  concurrency: { label: 'Requests at once', hint: '1 to 32.' },
  timeoutSec: { label: 'Longest wait for an answer, in seconds', hint: '1 to 600. Then the request counts as failed and is asked again.' },
}

/** Why the text is no such limit; null where it is one. */
export function readLimit(name: Limit, text: string): string | null {
  const found = ProviderSettings.shape[name].unwrap().safeParse(text.trim() === '' ? Number.NaN : Number(text))
  return found.success ? null : `${LIMITS[name].label}: ${LIMITS[name].hint.split('.')[0]}.`
}
