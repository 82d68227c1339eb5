import { PII_TYPES, type PiiType } from '#contracts/entities/privacy.ts'
import { digest } from './keyed.ts'

/** `[EMAIL_1]`: the number distinguishes values of one type. */
export const label = (type: PiiType, number: number): string => `[${type.toUpperCase()}_${number}]`

/** The number of a label, or null. */
export const numberIn = (text: string, type: PiiType): number | null => {
  const prefix = `[${type.toUpperCase()}_`
  const number = text.startsWith(prefix) && text.endsWith(']') ? text.slice(prefix.length, -1) : ''
  return /^\d{1,9}$/.test(number) ? Number(number) : null
}

const CATEGORIES: Record<PiiType, string> = {
  person: 'a person',
  email: 'an e-mail address',
  phone: 'a phone number',
  ssn: 'a social security number',
  passport: 'a passport number',
  driver_license: 'a driving licence number',
  date_of_birth: 'a date of birth',
  credit_card: 'a card number',
  bank_account: 'a bank account number',
  iban: 'an IBAN',
  address: 'a street address',
  zip_code: 'a postal code',
  city: 'a city',
  country: 'a country',
  ip_address: 'an IP address',
  mrn: 'a medical record number',
  health_plan: 'a health plan number',
  medical_condition: 'a medical condition',
  username: 'a user name',
  hostname: 'a host name',
  password: 'a password',
  api_key: 'an API key',
  auth_token: 'an access token',
  url: 'an internal address',
  private_key: 'a private key',
  connection_string: 'a connection string',
  secret: 'a secret',
  date: 'a date',
}
export const category = (type: PiiType): string => CATEGORIES[type]

const HEX = 16

/** `email-1f0c…`: 16 hex digits of HMAC-SHA-256, equal for equal values under one key. */
export const pseudonym = (key: Buffer, type: PiiType, canonicalValue: string): string =>
  `${type.replaceAll('_', '-')}-${digest(key, `pseudonym\0${type}\0${canonicalValue}`, HEX)}`

/** A label for hosts in URLs, where brackets would mean an IPv6 address. `.invalid` is reserved (RFC 2606). */
export const hostLabel = (type: PiiType, number: number): string => `redacted-${type.replaceAll('_', '-')}-${number}.invalid`

/** Replaces a text that could not be scanned in time. */
export const UNSCANNED = '[UNSCANNED]'

const NAMES = PII_TYPES.map((type) => type.replaceAll('_', '[-_]')).join('|')
const REPLACEMENT = new RegExp(
  `^(?:"?\\[(?:${NAMES})(?:_\\d{1,9})?\\]"?|(?:${NAMES})-[0-9a-f]{${HEX}}|redacted-(?:${NAMES})(?:-\\d{1,9})?\\.invalid)$`,
  'i',
)
const CATEGORY_TEXTS = new Set<string>(Object.values(CATEGORIES))

/** Whether a text is a replacement: a label, a pseudonym, a category or a complete mask. */
export const isLabel = (text: string): boolean =>
  text === UNSCANNED || REPLACEMENT.test(text) || CATEGORY_TEXTS.has(text) || /^\*{4,}$/.test(text)
