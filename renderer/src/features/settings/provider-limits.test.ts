import { expect, it } from 'vitest'
import { ProviderSettings } from '#contracts/entities/provider.ts'
import { LIMITS, readLimit, type Limit } from './provider-limits.ts'

it('accepts exactly the limits that the settings accept', () => {
  for (const name of Object.keys(LIMITS) as Limit[]) expect(readLimit(name, String(ProviderSettings.parse({})[name]))).toBeNull()
  expect(readLimit('requestsPerMinute', '10000')).toBeNull()
  expect(readLimit('timeoutSec', '0.5')).toMatch('1 to 600')
  for (const text of ['', ' ', 'fast', '0', '-1', '33', '2.5']) expect(readLimit('concurrency', text)).toMatch('1 to 32')
})
