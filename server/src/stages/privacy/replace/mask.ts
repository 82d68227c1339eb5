import { SECRET_TYPES, type PiiType } from '#contracts/entities/privacy.ts'

/** How many of the last letters and digits stay visible, by type; 0 for other types. */
const VISIBLE_COUNTS: Partial<Record<PiiType, number>> = {
  credit_card: 4,
  iban: 4,
  bank_account: 4,
  phone: 4,
  ssn: 4,
  passport: 2,
  driver_license: 2,
  mrn: 2,
  health_plan: 2,
  zip_code: 2,
}
/** At least this many characters are hidden. */
const HIDDEN_AT_LEAST = 4
const SIGN = /[\p{L}\p{N}*]/u

/**
 * Replaces letters and digits by stars, except the last ones for some types; other characters stay. Masking a masked
 * value changes nothing.
 */
export function mask(type: PiiType, value: string): string {
  if (SECRET_TYPES.includes(type)) return '********' // hides the length too
  const signs = Array.from(value)
  const total = signs.filter((sign) => SIGN.test(sign)).length
  const visible = Math.max(0, Math.min(VISIBLE_COUNTS[type] ?? 0, total - HIDDEN_AT_LEAST))
  let position = 0
  return signs.map((sign) => (SIGN.test(sign) && ++position <= total - visible ? '*' : sign)).join('')
}
