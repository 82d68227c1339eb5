import { SECRET_TYPES, type PiiType } from '#contracts/entities/privacy.ts'

/** How many of the last letters and digits stay, by type; none for the others. */
const SHOWN: Partial<Record<PiiType, number>> = {
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
/** Minimum number of hidden characters of a short value. */
const HIDDEN_AT_LEAST = 4
const SIGN = /[\p{L}\p{N}*]/u

/**
 * The shape of a value with a star for each letter and digit but the last ones, by type. In an e-mail address the
 * characters `@` and `.` are kept. Masking a masked value changes nothing.
 */
export function mask(type: PiiType, value: string): string {
  if (SECRET_TYPES.includes(type)) return '********' // not even its length
  const signs = Array.from(value)
  const total = signs.filter((sign) => SIGN.test(sign)).length
  const shown = Math.max(0, Math.min(SHOWN[type] ?? 0, total - HIDDEN_AT_LEAST))
  let seen = 0
  return signs.map((sign) => (SIGN.test(sign) && ++seen <= total - shown ? '*' : sign)).join('')
}
