import { birthDateAt } from './dates.ts'
import type { PiiType, Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Fields of the patient in messages of HL7 version 2, by their position in the segment. */
const FIELDS = new Map<number, PiiType>([
  [2, 'mrn'],
  [3, 'mrn'],
  [4, 'mrn'],
  [5, 'person'],
  [7, 'date_of_birth'],
  [9, 'person'],
  [11, 'address'],
  [13, 'phone'],
  [14, 'phone'],
  [18, 'bank_account'],
  [19, 'ssn'],
  [20, 'driver_license'],
])
/** Components of an address field, by position. */
const ADDRESS_PARTS = ['address', undefined, 'city', undefined, 'zip_code', 'country'] as const
const SEGMENT = /PID\|[^\r\n]{3,2000}/y

/** Reports the patient data in the PID segment that begins at `start`. */
export function patientAt(text: string, start: number, report: Report): void {
  const before = text.charCodeAt(start - 1)
  if (start > 0 && before !== 10 && before !== 13) return
  const segment = matchAt(SEGMENT, text, start)?.[0]
  if (segment === undefined) return
  let at = start + 4
  for (const [index, field] of segment.slice(4).split('|').entries()) {
    const type = FIELDS.get(index + 1)
    if (type !== undefined) read(text, type, at, field, report)
    at += field.length + 1
  }
}

function read(text: string, type: PiiType, at: number, field: string, report: Report): void {
  const parts = field.split('^')
  const first = parts[0]!
  if (type === 'person') {
    const name = /^[\p{L}\p{M}'’. -]{2,40}(?:\^[\p{L}\p{M}'’. -]{1,40}){1,2}/u.exec(field)?.[0].replace(/\^$/, '')
    if (name !== undefined) report('person', 'hl7', at, at + name.length, 0.9)
  } else if (type === 'address') {
    let from = at
    for (const [index, part] of parts.entries()) {
      const kind = ADDRESS_PARTS[index]
      if (kind !== undefined && part.length > (kind === 'country' ? 3 : 2)) report(kind, 'hl7', from, from + part.length, 0.85)
      from += part.length + 1
    }
  } else if (type === 'date_of_birth') {
    const end = birthDateAt(text, at)
    if (end !== null) report(type, 'hl7', at, end, 0.9)
  } else if (/\d{4}/.test(first.replaceAll(/\D/g, '')) && first.length < 30) report(type, 'hl7', at, at + first.length, 0.85)
}
