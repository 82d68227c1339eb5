import { birthDateAt } from '../people/dates.ts'
import { isNeverName, nameLikeness } from '../people/names.ts'
import { isInternational, isNational } from '../people/phone.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import { countryAfter } from '../places/cities.ts'
import { isHandle } from '../machines/users-in-messages.ts'
import { type Check, isCode } from './value-check.ts'

const TITLES = /^(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau|Mme|Mlle|M|Sra?|Srta|Do[nñ]a?|Dott|Sig|Dhr|Mevr|Rev|Ing|med)\.? (?=\p{Lu}))*/u

export const person: Check = (field, report, whole) => {
  if (
    isHandle(field.text) &&
    field.text !== field.phrase &&
    (field.quoted || field.style === 'env' || /^[ \t]*(?:[,\]}#]|\r?\n|$)/.test(whole.slice(field.end, field.end + 8))) &&
    ACCOUNT_LABELS.test(field.phrase)
  ) {
    const sign = field.text.startsWith('@') ? 1 : 0
    return report('username', 'handle', field.start + sign, field.end, 0.65)
  }
  const bare = field.text
    .replace(/\s*[<(].*$/, '')
    .replace(/\s+(?:and|und|et|y|e|en)\s.*$/i, '')
    .replace(/[.,;:!?]+$/, '')
  const text = field.style === 'prose' || !field.quoted ? leadingName(bare) : bare
  if (isPlaceholder(text)) return
  const { words, given, sure } = nameLikeness(text)
  if (sure === 0 || words > 4) return
  const titles = TITLES.exec(text)![0].length
  const isNameLabel = /name|holder|titular|intestatario|inhaber|houder|titulaire|nom|maiden/.test(field.phrase)
  if (words < 2 && !given && (!isNameLabel || /^display ?name$/.test(field.phrase) || text.toLowerCase() === field.phrase)) return
  if (!given && field.style === 'prose' && text === text.toUpperCase()) return
  if (field.style === 'prose' && !given && words < 2) return
  report('person', 'label', field.start + titles, field.start + text.length, Math.min(0.95, given ? 0.92 : words > 1 ? 0.78 : 0.6))
}

/** Labels for people whose value may be an account. */
const ACCOUNT_LABELS =
  /assignee|reviewer|reporter|author|actor|owner|maintainer|committer|\bby$|on ?call|requester|lead|approver|submitter|creator|editor name/

/** The leading words that may be a name: `Jane Doe called` gives `Jane Doe`. */
export function leadingName(whole: string): string {
  const text = whole.replace(/(?<=\p{Ll}{3})\.\s.*$/su, '')
  const match =
    /^(?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Mme|M|Sr|Sra|Sig|Dhr|Mevr)\.? )*\p{Lu}[\p{L}'’.-]*(?:,? (?:(?:de|da|do|dos|das|del|della|di|du|la|le|van|der|den|von|zu|bin|al|el|y|e|ter|ten) ){0,3}\p{Lu}[\p{L}'’.-]*){0,3}/u.exec(
      text,
    )
  const name = match?.[0] ?? ''
  // "Roe, Jane" is one name; "Jane Roe, Berlin" is a name and something else
  const comma = name.indexOf(',')
  return (comma > 0 && name.slice(0, comma).includes(' ') ? name.slice(0, comma) : name).replace(/[.,]$/, '')
}

export const given: Check = (field, report) => {
  if (/^(?:given|family)$/.test(field.phrase) && (!field.quoted || /font|type|op|product/.test(field.before.join(' ')))) return
  const text = field.text.replace(/[.,;]+$/, '')
  if (isPlaceholder(text) || text.length < 2 || text.length > 40 || isCode(field)) return
  const { words, sure, given: known } = nameLikeness(text)
  if (sure > 0 && words <= 3) report('person', 'label', field.start, field.start + text.length, known ? 0.92 : 0.75)
  else if (
    /^\p{Ll}[\p{L}'-]+$/u.test(text) &&
    field.quoted &&
    nameLikeness(text[0]!.toUpperCase() + text.slice(1)).given &&
    !isNeverName(text)
  )
    report('person', 'label', field.start, field.end, 0.7)
}

const NEIGHBOURS =
  /["'_,;|\s](?:e-?mail|phone|birth|dob|ssn|surname|last_?name|address|street|zip|plz|telefon|correo|passport|iban|account|customer_id|patient|customer|mrn|gender|age|salary|role|title|team|nationality|employee)(?![a-z])|@[\w-]+\.\w/i
/** The start of an address after a name: `, Main Street 5`, `, 12 rue …`, `01067 Dresden`. */
const LIVES_AT = /^,\s[^,\n]{0,40}\b\d{1,5}\p{L}?\b|\b\d{4,5} \p{Lu}\p{Ll}/u
export const plainName: Check = (field, report, text) => {
  const header = /^(?:from|to|cc|bcc|reply to|von|an|de)$/.test(field.phrase)
  if (header) {
    const match = /^["']?(\p{Lu}[\p{L}'’. -]{2,50}?)["']?\s*<[^<>@\s]+@/u.exec(text.slice(field.start, field.start + 120))
    if (
      match !== null &&
      nameLikeness(match[1]!).sure > 0 &&
      !(/<(?:no[-_.]?reply|noreply|notifications?|do-?not)/i.test(match[0]) && !/ /.test(match[1]!))
    )
      report(
        'person',
        'mail header',
        field.start + match[0].indexOf(match[1]!),
        field.start + match[0].indexOf(match[1]!) + match[1]!.length,
        0.92,
      )
    return
  }
  if (
    field.before.length > 0 &&
    !/^(?:my|the|his|her|user|your|billing|shipping|doctor|manager|client|contact|member|guest|holder|subscriber|person|i|s|is|and)$/.test(
      field.before.at(-1)!,
    )
  )
    return
  if (isCode(field)) return
  const value = field.quoted ? field.text : leadingName(field.text.replace(/\s*[<(].*$/, ''))
  if (isPlaceholder(value)) return
  const { words, given: known, sure } = nameLikeness(value)
  if (sure === 0 || words > 4) return
  if (words < 2 && !known) return
  const isNearContact =
    NEIGHBOURS.test(text.slice(Math.max(0, field.start - 140), field.end + 140)) ||
    LIVES_AT.test(text.slice(field.start + value.length, field.start + value.length + 80))
  if (words >= 2 && known) report('person', 'label', field.start, field.start + value.length, isNearContact ? 0.92 : 0.75)
  else if (words >= 2 && isNearContact && field.style !== 'prose') report('person', 'label', field.start, field.start + value.length, 0.65)
  else if (known && (isNearContact || field.style === 'prose') && words === 1)
    report('person', 'label', field.start, field.start + value.length, 0.6)
}

export const phone: Check = (field, report) => {
  const match = /^(?:(?:\+|00)?\(?\d[\d\s().\-/]{5,24}\d)(?:\s?(?:x|ext\.?)\s?\d{1,5})?/i.exec(field.text)
  if (match === null) return
  const raw = match[0]
  const figures = raw.replaceAll(/\D/g, '').length
  if (
    figures < 7 ||
    figures > 17 ||
    /^\d{4}-\d\d-\d\d/.test(raw) ||
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(raw) ||
    /\w/.test(field.text[raw.length] ?? '')
  )
    return
  if (/^(?:call|sms|ph|cell|portable|fixe|handy|mobil|movil|social)$/.test(field.phrase) && !/[\s()+-]|^0/.test(raw)) return
  if (isInternational(raw) || isNational(raw)) report('phone', 'label', field.start, field.start + raw.length, 0.92, true)
  else if (!/^\D*1?\D*555\D*555/.test(raw) && /[ ().-]/.test(raw) && figures >= 9 && !/^(?:call|sms)$/.test(field.phrase))
    report('phone', 'label', field.start, field.start + raw.length, 0.55)
}

export const birth: Check = (field, report, text) => {
  const lead = /^(?:(?:on|am|le|el|il|em|op|the|den)\s){0,2}/i.exec(field.text)![0].length
  const end = birthDateAt(text, field.start + lead)
  // `stat` prints the birth of a file, with the time
  if (end === null || /^ \d\d:\d\d:\d\d\.\d{3}/.test(text.slice(end, end + 14))) return
  const time = /^T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?/.exec(text.slice(end, end + 30))?.[0].length ?? 0
  report('date_of_birth', 'label', field.start + lead, end + time, 0.92, true)
  const place = /^,? (?:in|à|a|en|em|te|zu) (\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2})/u.exec(text.slice(end, end + 60))
  if (place !== null && !isNeverName(place[1]!)) {
    report('city', 'birth', end + place[0].length - place[1]!.length, end + place[0].length, 0.7)
    countryAfter(text, end + place[0].length, report)
  }
}
