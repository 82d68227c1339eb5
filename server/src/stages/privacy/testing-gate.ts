import { createHash } from 'node:crypto'
import { PrivacyPolicy } from '#contracts/entities/privacy.ts'
import { NO_DECISIONS } from './decisions.ts'
import type { GateInput } from './gate.ts'

export const testKey = createHash('sha256').update('data set').digest()

/** The input of a gate for tests. */
export const testGateInput = (policy: Partial<PrivacyPolicy> = {}, more: Partial<GateInput> = {}): GateInput => ({
  policy: PrivacyPolicy.parse(policy),
  policyHash: 'hash',
  decisions: NO_DECISIONS,
  key: testKey,
  valueKey: testKey,
  purpose: 'a test',
  ...more,
})
