import type { PiiType } from '#contracts/entities/privacy.ts'

const digitsOf = (value: string) => value.replaceAll(/\D/g, '')

/** Digits of a phone number without +, 00 or the 1 before a North American number. */
export function phoneDigits(value: string): string {
  const digits = digitsOf(value).replace(/^00/, '')
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
}

/** Equal for all spellings of a value; replacements are computed from it. */
export function canonical(type: PiiType, value: string): string {
  switch (type) {
    case 'phone':
      return phoneDigits(value)
    case 'email':
    case 'hostname':
    case 'ip_address':
      return value.trim().toLowerCase()
    case 'credit_card':
    case 'ssn':
    case 'iban':
    case 'bank_account':
    case 'passport':
    case 'driver_license':
    case 'mrn':
    case 'health_plan':
    case 'zip_code':
      return value.replaceAll(/[\s.-]/g, '').toUpperCase()
    case 'person':
    case 'address':
    case 'city':
    case 'country':
    case 'medical_condition':
      return value
        .trim()
        .replaceAll(/[\s,]+/g, ' ')
        .toLowerCase()
    case 'private_key':
      // the same key with and without line numbers, indentation or quotes
      return value.match(/[A-Za-z0-9+/]{16,}/g)?.join('') ?? value
    default:
      return value // paths, accounts and credentials are case-sensitive
  }
}
