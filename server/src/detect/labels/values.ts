import { isExpression } from '../expressions.ts'
import type { Field } from './field.ts'
import type { Report } from '../types.ts'
import type { Check } from './value-check.ts'
import { condition, diagnosis } from './value-health.ts'
import { hostname, ip, username } from './value-machines.ts'
import { account, card, iban, license, mrn, passport, plan, ssn } from './value-numbers.ts'
import { birth, given, person, phone, plainName } from './value-people.ts'
import { city, country, street, zip } from './value-places.ts'
import { cvv, password, secretCheck } from './value-secrets.ts'

const CHECKS: Record<Field['kind'], Check> = {
  password,
  secret: secretCheck(12, 0.85),
  token: secretCheck(16, 0.8),
  apiKey: secretCheck(16, 0.85),
  connection: () => undefined, // found by its value: urls.ts
  person,
  given,
  name: plainName,
  email: () => undefined, // found by its value: hosts.ts
  phone,
  ssn,
  passport,
  license,
  birth,
  card,
  account,
  iban,
  address: street,
  street,
  zip,
  city,
  country,
  ip,
  mrn,
  plan,
  condition,
  diagnosis,
  username,
  cvv,
  hostname,
}

/** Kinds whose values may be identifiers in code. */
const LITERAL: ReadonlySet<Field['kind']> = new Set([
  'username',
  'password',
  'hostname',
  'person',
  'given',
  'name',
  'city',
  'secret',
  'token',
  'apiKey',
] as const)

export function checkField(field: Field, report: Report, text: string): void {
  if (field.text === '' || field.text.length > 2000) return
  if (LITERAL.has(field.kind) && isExpression(field, text)) return
  CHECKS[field.kind](field, report, text)
  if (field.quoted && text.charCodeAt(field.start - 2) === 91) otherListValues(field, report, text)
}

/** Checks the other values of a list: `["…", "…"]`. */
function otherListValues(field: Field, report: Report, text: string): void {
  NEXT_LIST_VALUE.lastIndex = field.end
  for (let count = 0; count < 40; count += 1) {
    const value = NEXT_LIST_VALUE.exec(text)?.[1]
    if (value === undefined) return
    const end = NEXT_LIST_VALUE.lastIndex - 1
    CHECKS[field.kind]({ ...field, text: value, start: end - value.length, end }, report, text)
    NEXT_LIST_VALUE.lastIndex = end
  }
}
const NEXT_LIST_VALUE = /["'],\s{0,20}["']([^"'\n]{2,200})["']/y
