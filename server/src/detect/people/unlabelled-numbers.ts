import { nameBefore } from './names-near-contacts.ts'
import { cardIssuer, ibanLength, luhn, mod97, ssnInRange } from '../checksums.ts'
import { isInternational, isNational } from './phone.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Cards, IBANs, social security and phone numbers that need no label. */

/** The pattern is bounded so that a number in a column does not read the whole column. */
const CLUSTER = /\d{1,64}(?:[ -]\d{1,64}){0,24}/y
const CARD_CONTEXT = /card|kredit|visa|mastercard|amex|\bcc\b|\bpan\b|carte|tarjeta|carta|cart[aã]o|kaart|payment|billing|expir/i
const PHONE_CONTEXT =
  /phone|\btel\b|mobil|cell|\bcall\b|\bfax\b|whatsapp|contact|sms|handy|telefon|téléphone|teléfono|telefone|movil|móvil|celular|portable|rufnummer|reach|dial|hotline|\bnummer\b|numéro|\bnúmero\b|\bring\b|\bbel(?:len)?\b|anruf|appel|\bllam|\bligar\b|text (?:me|him|her)|number (?:is|was)/i
const SSN_CONTEXT = /\bssn\b|social|\bss#|tax.?id|\bitin\b|w-?2\b|1099/i

const textAround = (text: string, start: number, end: number, before: number, after: number) =>
  `${text.slice(Math.max(0, start - before), start)} ${text.slice(end, end + after)}`

const isFigure = (code: number) => code >= 48 && code <= 57

/** Reports the number in a run of digits that starts at `at`. Returns where to continue. */
export function digitsAt(text: string, at: number, report: Report): number {
  const match = matchAt(CLUSTER, text, at)!
  const raw = match[0]
  const end = at + raw.length
  let firstEnd = at + 1
  while (firstEnd < end && isFigure(text.charCodeAt(firstEnd))) firstEnd += 1
  const first = text.slice(at, firstEnd)
  const next = text[end] ?? ''
  const before = text[at - 1] ?? ''
  const inWord =
    /[\p{L}_]/u.test(next) ||
    (/[.-]/.test(before) && /[\w]/.test(text[at - 2] ?? '')) ||
    before === '#' ||
    (next === '-' && /[\p{L}\d]/u.test(text[end + 1] ?? ''))
  if (inWord) return firstEnd
  if (raw.length >= 12 && raw.length < 40) {
    const card = cardIn(raw)
    if (card !== null) {
      const separated = card.length !== card.replaceAll(/\D/g, '').length
      const plain = card.replaceAll(/\D/g, '')
      const decimal = (before === '.' && /\d/.test(text[at - 2] ?? '')) || (next === '.' && /\d/.test(text[end + 1] ?? ''))
      const context = CARD_CONTEXT.test(textAround(text, at, end, 60, 30))
      if (!decimal && (separated || context || plain.length === 16 || (plain.length === 15 && /^3[47]/.test(plain)))) {
        report('credit_card', cardIssuer(plain)!, at, at + card.length, context ? 0.97 : separated ? 0.9 : 0.7, true)
        nameBefore(text, at, report)
        return at + card.length
      }
    }
  }
  if (raw.length >= 11 && /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(raw) && ssnInRange(raw.replaceAll(/\D/g, ''))) {
    const context = SSN_CONTEXT.test(textAround(text, at, end, 60, 20))
    report('ssn', 'ssn', at, end, context ? 0.95 : raw.includes('-') ? 0.55 : 0.3, true)
    return end
  }
  if (/^\d{3}[- ]\d{3}[- ]\d{4}$/.test(raw) || /^1[- ]\d{3}[- ]\d{3}[- ]\d{4}$/.test(raw)) {
    if (isNational(raw, ['US']))
      report(
        'phone',
        'national',
        at,
        end,
        PHONE_CONTEXT.test(textAround(text, at, end, 40, 10)) ? 0.9 : raw.includes('-') ? 0.7 : 0.5,
        true,
      )
    return end
  }
  if (first.length === 3 && text[firstEnd] === '.') {
    const dotted = /^\d{3}\.\d{3}\.\d{4}(?![\d.]*\d)/.exec(text.slice(at, at + 14))?.[0]
    if (dotted !== undefined && isNational(dotted, ['US'])) {
      report('phone', 'national', at, at + dotted.length, 0.7, true)
      return at + dotted.length
    }
  }
  if (raw.length >= 6 && before === ' ' && text.slice(at - 12, at).includes('/')) {
    const label = /\ba\/c\.?(?: ?(?:no|nr|num|number)\b\.?)?[ #:.-]*$/i.exec(text.slice(Math.max(0, at - 20), at))
    if (label !== null) {
      report('bank_account', 'a/c', at, end, 0.8)
      return end
    }
  }
  if (first.startsWith('0')) {
    const national = NATIONAL.exec(text.slice(at, at + 24))?.[0].replace(/[\s./-]+$/, '')
    if (national !== undefined) {
      const plain = national.replaceAll(/\D/g, '')
      const last = at + national.length
      if (plain.length >= 8 && plain.length <= 13 && !/^\d\d\.\d\d\.(?:19|20)\d\d$/.test(national) && !/\w/.test(text[last] ?? '')) {
        const context = PHONE_CONTEXT.test(textAround(text, at, last, 40, 10))
        if (national.startsWith('00') && isInternational(national) && (context || /[ ]/.test(national)))
          report('phone', 'international', at, last, 0.85, true)
        else if (context && isNational(national)) report('phone', 'national', at, last, 0.85, true)
        else if (/^0[1-9](?:[ .]\d\d){4}$/.test(national) && isNational(national, ['FR'])) report('phone', 'national', at, last, 0.75, true)
        else if (/^0\d{2,4} \d{3,4} \d{3,4}$|^0\d{2,4}[/ -]\d{3}[ -]?\d{2,6}$/.test(national) && isNational(national, ['GB', 'DE']))
          report('phone', 'national', at, last, 0.55, true)
        if (plain.length > first.length) return last
      }
    }
  }
  return firstEnd
}

const NATIONAL = /^0\d{1,5}(?:[ ./-]{1,3}\d{1,8}){0,6}/

/** The card number that the first groups of a cluster form; the longest one if there are several. */
function cardIn(raw: string): string | null {
  const groups = raw.split(/(?<=[ -])/)
  for (let count = groups.length; count > 0; count -= 1) {
    const candidate = groups.slice(0, count).join('').replace(/[ -]$/, '')
    const plain = candidate.replaceAll(/\D/g, '')
    if (plain.length < 13) return null
    if (plain.length > 19 || cardIssuer(plain) === null || !luhn(plain)) continue
    if (
      count > 1 &&
      !/^\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}(?:\1\d{1,3})?$|^\d{4}([ -])\d{6}\2\d{4,5}$|^\d{4}([ -])\d{4}\3\d{4}\3\d{1,4}$/.test(candidate)
    )
      continue
    if (new Set(plain).size < 3) continue
    return candidate
  }
  return null
}

const PLUS = /\+(?:\(\d{1,4}\)|\d)(?:[\d]|[ .\-/()]{1,3}(?=[\d(])){5,22}/y
/** `+` with digits after it: E.164, with or without separators. */
export function plusAt(text: string, at: number, report: Report): number | null {
  if (/[\w)\]}"'+*/=]$/.test(text[at - 1] ?? '') && !/["'=]/.test(text[at - 1]!)) return null
  const match = matchAt(PLUS, text, at)
  if (match === null) return null
  let value = match[0].replace(/[^\d)]+$/, '')
  if (/[\p{L}_]/u.test(text[at + value.length] ?? '')) return null
  while (value.replaceAll(/\D/g, '').length >= 8) {
    if (isInternational(value.replaceAll('(0)', ''))) {
      report('phone', 'e164', at, at + value.length, 0.9, true)
      nameBefore(text, at, report)
      return at + value.length
    }
    const shorter = value.replace(/[ .\-/()]+\d+$/, '')
    if (shorter === value) break
    value = shorter
  }
  return null
}

const PARENTHESES = /\((\d{2,5})\)[ ]?[\d][\d .-]{4,12}\d/y
/** `(415) 555-2671`. */
export function parenthesisAt(text: string, at: number, report: Report): number | null {
  const match = matchAt(PARENTHESES, text, at)
  if (match === null || /\w/.test(text[at - 1] ?? '') || /[\w]/.test(text[at + match[0].length] ?? '')) return null
  const plain = match[0].replaceAll(/\D/g, '')
  if (plain.length < 8 || plain.length > 13 || !/[ -]|^\(0/.test(match[0])) return null
  const end = at + match[0].length
  const us = /^\(\d{3}\) ?\d{3}[-. ]\d{4}$/.test(match[0]) && isNational(match[0], ['US'])
  if (!us && !(PHONE_CONTEXT.test(textAround(text, at, end, 40, 10)) || match[1]!.startsWith('0'))) return null
  if (!us && !isNational(match[0])) return null
  report('phone', 'national', at, end, 0.85, true)
  return end
}

const IBAN = /[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/iy
export function ibanAt(text: string, at: number, report: Report): number | null {
  const length = ibanLength(text.slice(at, at + 2).toUpperCase())
  if (length === null) return null
  const match = matchAt(IBAN, text, at)
  if (match === null) return null
  let count = 0
  let end = at
  while (count < length && end < at + match[0].length) {
    if (/[A-Za-z0-9]/.test(text[end]!)) count += 1
    end += 1
  }
  if (count < length || /[A-Za-z0-9]/.test(text[end] ?? '')) return null
  const plain = text.slice(at, end).replaceAll(/[ -]/g, '').toUpperCase()
  if (!mod97(plain)) return null
  report('iban', 'mod 97', at, end, 0.97, true)
  nameBefore(text, at, report)
  return end
}
