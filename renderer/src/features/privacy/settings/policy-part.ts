import type { PrivacyPolicy } from '#contracts/entities/privacy.ts'

/** Props of a section of the page. Changes are saved at once. */
export interface PolicyPart {
  policy: PrivacyPolicy
  offline: string | null
  set: (what: string, part: Partial<PrivacyPolicy>) => void
}
