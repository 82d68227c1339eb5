import { cardIssuer, ibanLength, luhn, mod97, ssnInRange } from '../checksums.ts'
import { isRouting } from './issued-numbers.ts'
import { nationalId } from './national-ids.ts'
import { sliceAt, type Check, numberCheck, matchInside, LICENCE } from './value-check.ts'

const RECORD = { digits: 4, signs: 5, most: 16 }
const PASSPORT = { digits: 2, signs: 6, most: 12 }
const PLAN = { digits: 4, signs: 6, most: 20 }

const HEALTH =
  /health|insur|medic|patient|plan|benefit|subscriber|versicher|kranken|mutuelle|salud|sanit|saúde|saude|zorg|aetna|cigna|blue ?cross|bcbs|humana|kaiser|member/i
/** The format of most insurers: the plan's letters and the member number. */
const MEMBER = /^[A-Z]{1,4}\d{7,12}(?![\w-])/
const BANK =
  /bsb|blz|bank|acct|account|rout|konto|compte|cuenta|conto|conta|rekening|deposit|sort|aba|wire|transfer|rib|clabe|ccc|nib|iban/i

/** Taxpayers without a social security number: groups assigned by the Internal Revenue Service. */
const ITIN = /^9\d\d[- ]?(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])[- ]?\d{4}$/

const NEAR_BANK = /\b(?:sort code|bsb|iban|bic|swift|blz|bank|routing|aba|wire|direct deposit)\b/i

export const ssn: Check = (field, report) => {
  const found = matchInside(field, /[A-Z0-9][A-Z0-9 .\-/+]{5,22}[A-Z0-9]/i)
  if (found === null || found.start > field.start + 10) return
  const us = /^\d{3}[- ]?\d{2}[- ]?\d{4}(?![\w-])/.exec(found.text)
  if (us !== null && ssnInRange(us[0].replaceAll(/\D/g, ''))) report('ssn', 'label', found.start, found.start + us[0].length, 0.95, true)
  else if (us !== null && ITIN.test(us[0])) report('ssn', 'itin', found.start, found.start + us[0].length, 0.9, true)
  else {
    // the number may be followed by other words: take the longest leading part that a rule accepts
    for (let end = found.text.length; end >= 7; end = found.text.lastIndexOf(' ', end - 1)) {
      const part = found.text
        .slice(0, end)
        .replaceAll(/[^A-Z0-9]/gi, '')
        .toUpperCase()
      if (!nationalId(part, field.phrase)) continue
      report('ssn', 'label', found.start, found.start + end, 0.93, true)
      break
    }
  }
}

export const passport: Check = (field, report, text) => {
  if (!field.phrase.startsWith('doc')) return numberCheck('passport', PASSPORT, 0.88)(field, report, text)
  const near = text.slice(Math.max(0, field.start - 160), field.end + 100)
  if (/passport|reisepass|passeport|pasaporte|passaport|paspoort/i.test(near)) numberCheck('passport', PASSPORT, 0.75)(field, report, text)
  else if (/driv\w+.?licen[cs]e|führerschein|permis|rijbewijs/i.test(near)) numberCheck('driver_license', LICENCE, 0.7)(field, report, text)
}

export const card: Check = (field, report) => {
  const found = matchInside(field, /\d(?:[ -]?\d){12,18}/)
  const plain = found?.text.replaceAll(/\D/g, '') ?? ''
  if (found !== null && luhn(plain) && cardIssuer(plain) !== null) report('credit_card', 'label', found.start, found.end, 0.97, true)
  else if (/^pan\b/.test(field.phrase) && /^[A-Z]{3}[ABCFGHLJPTK][A-Z]\d{4}[A-Z](?![A-Za-z0-9])/.test(field.text))
    report('ssn', 'label', field.start, field.start + 10, 0.9, true)
}

export const account: Check = (field, report, text) => {
  const words = [...field.before, field.phrase].join(' ')
  if (field.phrase === 'routing' || field.phrase === 'routing number') {
    const routing = /^\D{0,3}(\d{9})(?!\w)/.exec(field.text)
    if (routing === null || !isRouting(routing[1]!)) return
    const at = field.start + routing[0].length - 9
    report('bank_account', 'aba', at, at + 9, 0.9, true)
    return
  }
  if (
    /^(?:account|acc)$/.test(field.phrase) &&
    !NEAR_BANK.test(`${sliceAt(text, field.start - 80, field.start - 8)} ${sliceAt(text, field.end, field.end + 40)}`)
  )
    return
  if (
    (!BANK.test(words) && field.phrase !== 'acc' && !/^(?:checking|savings)$/.test(field.phrase)) ||
    /aws|cloud|service|user|billing account id/.test(words)
  )
    return
  if (
    /^(?:cuenta|conta|konto|acct|rib|aba|ccc|nib|account no|conto)$/.test(field.phrase) &&
    field.style === 'prose' &&
    !/\d{6}/.test(field.text) &&
    !(/\d{4}[ -]\d{4}/.test(field.text) && NEAR_BANK.test(sliceAt(text, field.start - 80, field.end + 80)))
  )
    return
  const found = matchInside(field, /\d(?:[ -]?\d){5,22}/)
  if (
    found === null ||
    found.start > field.start + 6 ||
    /^\d{4}-\d\d-\d\d/.test(found.text) ||
    /^(.)\1+$/.test(found.text) ||
    /\w/.test(field.text[found.end - field.start] ?? '')
  )
    return
  report('bank_account', 'label', found.start, found.end, 0.85)
}

export const iban: Check = (field, report) => {
  const found = matchInside(field, /[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/i)
  const plain = found?.text.replaceAll(/[ -]/g, '').toUpperCase() ?? ''
  if (found !== null && ibanLength(plain.slice(0, 2)) === plain.length && mod97(plain))
    report('iban', 'label', found.start, found.end, 0.97, true)
}

export const plan: Check = (field, report, text) => {
  const words = [...field.before, field.phrase].join(' ')
  const context = /^(?:member|policy|plan (?:id|no|number)|group|subscriber|póliza|poliza|polizza|polis|beneficiary|versicherungs)/.test(
    field.phrase,
  )
    ? text.slice(Math.max(0, field.start - 160), field.end + 120).replace(/member|group|policy|plan|subscriber/gi, '')
    : words
  const ofMember = /^(?:member|subscriber|beneficiary)/.test(field.phrase) && MEMBER.test(field.text)
  if (!ofMember && !HEALTH.test(context)) return
  numberCheck('health_plan', PLAN, ofMember ? 0.7 : 0.82)(field, report, text)
}

export const license = numberCheck('driver_license', LICENCE, 0.82)
export const mrn = numberCheck('mrn', RECORD, 0.85)
