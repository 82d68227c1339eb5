import type { PrivacyPolicy } from '#contracts/entities/privacy.ts'

/** What a part of the page reads and changes: one field of the policy, saved at once. */
export interface PolicyPart {
  policy: PrivacyPolicy
  offline: string | null
  set: (what: string, part: Partial<PrivacyPolicy>) => void
}
