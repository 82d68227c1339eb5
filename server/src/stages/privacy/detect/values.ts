import { cardIssuer, classOfIpv4, ibanLength, luhn, mod97, ssnInRange } from './checks.ts'
import { birthDateAt } from './dates.ts'
import type { Field } from './fields.ts'
import { isInternalHost } from './domains.ts'
import { isHost, isUser } from './hosts.ts'
import { CONDITIONS, COUNTRIES, ICD10 } from './lexicon.ts'
import { isKnownNoName, nameLikeness } from './names.ts'
import { nationalId } from './national-ids.ts'
import { isInternational, isNational } from './phone.ts'
import { isPlaceholder } from './placeholders.ts'
import { looksLikePassword, looksLikeSecret } from './secret-values.ts'
import type { PiiType, Report } from './types.ts'

/** Whether the value beside a label is what the label says, by kind. */
type Check = (field: Field, report: Report, text: string) => void

const inside = (field: Field, pattern: RegExp) => {
  const match = pattern.exec(field.text)
  return match === null ? null : { start: field.start + match.index, end: field.start + match.index + match[0].length, text: match[0] }
}

const isCode = (field: Field) => !field.quoted && /[(){}=$]|^\w+\.\w+|^(?:null|true|false|undefined|none)$/i.test(field.text)

/** A form of letters and digits beside its label: passports, licences, records, plans. */
const form =
  (type: PiiType, pattern: RegExp, digits: number, confidence: number): Check =>
  (field, report) => {
    const found = inside(field, pattern)
    if (found === null || found.start > field.start + 12 || isPlaceholder(found.text)) return
    if (found.text.replaceAll(/\D/g, '').length < digits || /^\d{4}-\d\d-\d\d/.test(found.text) || /^(?:19|20)\d\d$/.test(found.text))
      return
    report(type, 'label', found.start, found.end, confidence)
  }

const HEALTH =
  /health|insur|medic|patient|plan|benefit|subscriber|versicher|kranken|mutuelle|salud|sanit|saúde|saude|zorg|aetna|cigna|blue ?cross|bcbs|humana|kaiser|member/i
const BANK = /bank|acct|account|rout|konto|compte|cuenta|conto|conta|rekening|deposit|sort|aba|wire|transfer|rib|clabe|ccc|nib|iban/i

const secretCheck =
  (least: number, confidence: number): Check =>
  (field, report) => {
    if (field.style === 'prose' && !field.quoted && !/\d/.test(field.text)) return
    const strong = /secret|api|private|encryption|signing|access|hmac|webhook|client/i.test(`${field.before.join(' ')} ${field.phrase}`)
    if (looksLikeSecret(field.text, { quoted: field.quoted, uuid: strong && field.kind !== 'token', least }))
      report('secret', 'telling name', field.start, field.end, confidence)
    else if (
      field.kind === 'secret' &&
      /secret|passphrase/.test(field.phrase) &&
      field.text.length >= 8 &&
      /\d/.test(field.text) &&
      (field.quoted || field.style === 'env') &&
      looksLikePassword(field.text, { quoted: field.quoted, firm: field.style === 'env' }) &&
      !/^[\w-]+(?:\.[\w-]+)*$/.test(field.text.replaceAll(/\d+$/g, ''))
    )
      report('secret', 'telling name', field.start, field.end, 0.65)
  }

const person: Check = (field, report) => {
  const bare = field.text
    .replace(/\s*[<(].*$/, '')
    .replace(/\s+(?:and|und|et|y|e|en)\s.*$/i, '')
    .replace(/[.,;:!?]+$/, '')
  const text = field.style === 'prose' || !field.quoted ? leadingName(bare) : bare
  if (isPlaceholder(text)) return
  const { words, given, sure } = nameLikeness(text)
  if (sure === 0 || words > 4) return
  const named = /name|holder|titular|intestatario|inhaber|houder|titulaire|nom|maiden/.test(field.phrase)
  if (words < 2 && !given && !named) return
  if (field.style === 'prose' && !given && words < 2) return
  report('person', 'label', field.start, field.start + text.length, Math.min(0.95, given ? 0.92 : words > 1 ? 0.78 : 0.6))
}

/** The leading words that may be a name: `Jane Doe called` gives `Jane Doe`. */
export function leadingName(text: string): string {
  const match =
    /^(?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Mme|M|Sr|Sra|Sig|Dhr|Mevr)\.? )*\p{Lu}[\p{L}'’.-]*(?:,? (?:(?:de|da|do|dos|das|del|della|di|du|la|le|van|der|den|von|zu|bin|al|el|y|e|ter|ten) ){0,3}\p{Lu}[\p{L}'’.-]*){0,3}/u.exec(
      text,
    )
  return (match?.[0] ?? '').replace(/[.,]$/, '')
}

const given: Check = (field, report) => {
  const text = field.text.replace(/[.,;]+$/, '')
  if (isPlaceholder(text) || text.length < 2 || text.length > 40 || isCode(field)) return
  const { words, sure, given: known } = nameLikeness(text)
  if (sure > 0 && words <= 3) report('person', 'label', field.start, field.start + text.length, known ? 0.92 : 0.75)
  else if (
    /^\p{Ll}[\p{L}'-]+$/u.test(text) &&
    field.quoted &&
    nameLikeness(text[0]!.toUpperCase() + text.slice(1)).given &&
    !isKnownNoName(text)
  )
    report('person', 'label', field.start, field.end, 0.7)
}

const NEIGHBOURS =
  /["'_\b\s](?:e-?mail|phone|birth|dob|ssn|surname|last_?name|address|street|zip|plz|telefon|correo|patient|customer|mrn|gender|age|salary|role|title|team|nationality|employee)\b|@[\w-]+\.\w/i
const plainName: Check = (field, report, text) => {
  const header = /^(?:from|to|cc|bcc|reply to|von|an|de)$/.test(field.phrase)
  if (header) {
    const match = /^["']?(\p{Lu}[\p{L}'’. -]{2,50}?)["']?\s*<[^<>@\s]+@/u.exec(text.slice(field.start, field.start + 120))
    if (match !== null && nameLikeness(match[1]!).sure > 0)
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
  const near = NEIGHBOURS.test(text.slice(Math.max(0, field.start - 140), field.end + 140))
  if (words >= 2 && known) report('person', 'label', field.start, field.start + value.length, near ? 0.92 : 0.75)
  else if (words >= 2 && near && field.style !== 'prose') report('person', 'label', field.start, field.start + value.length, 0.65)
  else if (known && (near || field.style === 'prose') && words === 1)
    report('person', 'label', field.start, field.start + value.length, 0.6)
}

const street: Check = (field, report) => {
  const text = field.text.replace(/[\s,;]+$/, '')
  if (text.length < 4 || isPlaceholder(text) || isCode(field) || text.includes('@')) return
  if (field.kind === 'street' && !field.quoted && field.style === 'prose') return
  if (
    /\d/.test(text) &&
    /\p{L}{3}/u.test(text) &&
    /\s/.test(text) &&
    !/[<>{}=\\[\]]|::|\/\/|\d+\.\d+\.\d+|0x/.test(text) &&
    !/^(?:https?|tcp|udp|0x)/.test(text)
  ) {
    if (!/\p{Lu}/u.test(text) && !field.quoted) return
    const end = field.quoted ? text.length : addressLength(text)
    report('address', 'label', field.start, field.start + end, 0.85)
  } else if (field.kind === 'street' && field.quoted && /^\p{Lu}[\p{L} .'-]{3,40}$/u.test(text) && !isKnownNoName(text))
    report('address', 'label', field.start, field.start + text.length, 0.6)
}

/** An unquoted address ends with its sentence. */
const addressLength = (text: string) => /^(?:[^.\n]|\.(?!\s+\p{Lu}\p{Ll}+\s\p{Ll}))+/u.exec(text)![0].replace(/[\s,.;]+$/, '').length

const ZIP =
  /^(?:[A-Z]{1,2}-)?(?:\d{5}-\d{4}|\d{5}-\d{3}|\d{4}-\d{3}|\d{3}-\d{4}|\d{3} \d{2}|\d{2}-\d{3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4,6})(?![\w-])/i

const city: Check = (field, report) => {
  if (isCode(field)) return
  const text = (
    field.quoted
      ? field.text
      : (/^\p{Lu}[\p{L}'’.-]*(?:[ -](?:(?:am|an|der|de|la|le|les|sur|en|do|da|del|upon|of|aan|den|los|el|in|im|ob|bei) ){0,2}\p{Lu}[\p{L}'’.-]*){0,3}/u.exec(
          field.text,
        )?.[0] ?? '')
  ).replace(/[.,]$/, '')
  if (text.length < 2 || text.length > 40 || isPlaceholder(text) || isKnownNoName(text) || !/^\p{Lu}[\p{L}\p{M}'’. /()-]+$/u.test(text))
    return
  if (field.style === 'prose' && field.phrase.length < 5) return
  report('city', 'label', field.start, field.start + text.length, field.style === 'prose' ? 0.65 : 0.8)
}

const country: Check = (field, report) => {
  const text = field.text.replace(/[.,;]+$/, '')
  if (COUNTRIES.has(text.toLowerCase())) report('country', 'label', field.start, field.start + text.length, 0.85, true)
  else if (/^[A-Z]{2,3}$/.test(text) && field.quoted && field.style !== 'compare' && field.style !== 'call')
    report('country', 'label', field.start, field.start + text.length, 0.4)
}

const phone: Check = (field, report) => {
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
  else if (/[ ().-]/.test(raw) && figures >= 9 && !/^(?:call|sms)$/.test(field.phrase))
    report('phone', 'label', field.start, field.start + raw.length, 0.55)
}

const CHECKS: Record<Field['kind'], Check> = {
  password(field, report) {
    const weak = /^(?:pass|pw|clave|parola|mdp|psw|passw)$/.test(field.phrase)
    if (field.style === 'compare' && weak) return
    if (weak && field.style === 'prose') return
    if (/^(?:pass)$/.test(field.phrase) && field.identifier && field.style === 'assign' && !field.quoted && !/\d/.test(field.text)) return
    if (field.style === 'prose' && !field.quoted && (!/\d|[!@#$%^&*]/.test(field.text) || /^\d+$/.test(field.text))) return
    const firm = field.style === 'env' || field.style === 'flag'
    if (!looksLikePassword(field.text, { quoted: field.quoted, firm })) return
    if (field.style === 'call' && (/\s/.test(field.text) || /^[a-z]+$|^[A-Z][a-z]+$/.test(field.text))) return
    report('password', 'label', field.start, field.end, field.style === 'prose' || field.style === 'call' ? 0.75 : 0.88)
  },
  secret: secretCheck(12, 0.85),
  token: secretCheck(16, 0.8),
  apiKey: secretCheck(16, 0.85),
  connection: () => undefined, // the value says it: urls.ts
  person,
  given,
  name: plainName,
  email: () => undefined, // the value says it: hosts.ts
  phone,
  ssn(field, report) {
    const found = inside(field, /[A-Z0-9][A-Z0-9 .\-/]{6,22}[A-Z0-9]/i)
    if (found === null || found.start > field.start + 10) return
    const plain = found.text.replaceAll(/[^A-Z0-9]/gi, '').toUpperCase()
    const us = /^\d{3}[- ]?\d{2}[- ]?\d{4}(?![\w-])/.exec(found.text)
    if (us !== null && ssnInRange(us[0].replaceAll(/\D/g, ''))) report('ssn', 'label', found.start, found.start + us[0].length, 0.95, true)
    else if (nationalId(plain)) report('ssn', 'label', found.start, found.end, 0.93, true)
  },
  passport: form('passport', /\b(?=[A-Z0-9]*\d)[A-Z]{0,3}\d?[A-Z0-9]{1,2}\d[A-Z0-9]{3,6}\d?\b|\b\d{2} ?\d{2} ?\d{6}\b/i, 4, 0.88),
  license: form('driver_license', /\b(?=[A-Z0-9 -]*\d)[A-Z0-9]{1,8}(?:[ -]?[A-Z0-9]{2,9}){0,4}\b/i, 4, 0.82),
  birth(field, report, text) {
    const lead = /^(?:(?:on|am|le|el|il|em|op|the|den)\s)?/i.exec(field.text)![0].length
    const end = birthDateAt(text, field.start + lead)
    if (end !== null) report('date_of_birth', 'label', field.start + lead, end, 0.92, true)
  },
  card(field, report) {
    const found = inside(field, /\d(?:[ -]?\d){12,18}/)
    const plain = found?.text.replaceAll(/\D/g, '') ?? ''
    if (found !== null && luhn(plain) && cardIssuer(plain) !== null) report('credit_card', 'label', found.start, found.end, 0.97, true)
  },
  account(field, report) {
    const words = [...field.before, field.phrase].join(' ')
    if (!BANK.test(words) || /aws|cloud|service|user|billing account id/.test(words)) return
    if (
      /^(?:cuenta|conta|konto|acct|rib|aba|ccc|nib|account no|conto)$/.test(field.phrase) &&
      field.style === 'prose' &&
      !/\d{6}/.test(field.text)
    )
      return
    const found = inside(field, /\d(?:[ -]?\d){5,22}/)
    if (
      found === null ||
      found.start > field.start + 6 ||
      /^\d{4}-\d\d-\d\d/.test(found.text) ||
      /^(.)\1+$/.test(found.text) ||
      /\w/.test(field.text[found.end - field.start] ?? '')
    )
      return
    report('bank_account', 'label', found.start, found.end, 0.85)
  },
  iban(field, report) {
    const found = inside(field, /[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/i)
    const plain = found?.text.replaceAll(/[ -]/g, '').toUpperCase() ?? ''
    if (found !== null && ibanLength(plain.slice(0, 2)) === plain.length && mod97(plain))
      report('iban', 'label', found.start, found.end, 0.97, true)
  },
  address: street,
  street,
  zip(field, report) {
    const match = ZIP.exec(field.text)
    if (match === null || /^0+$/.test(match[0])) return
    if (/^(?:cap|cp|cep|postal)$/.test(field.phrase) && !/^\d{4,5}(?:-\d{3})?$/.test(match[0])) return
    if (/^(?:cap|cp|zip)$/.test(field.phrase) && (field.style === 'prose' || field.style === 'flag' || match[0].length < 5)) return
    report('zip_code', 'label', field.start, field.start + match[0].length, 0.85)
  },
  city,
  country,
  ip(field, report) {
    const found = inside(field, /^\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)/)
    if (found !== null && classOfIpv4(found.text.split('.').map(Number)) === 'public')
      report('ip_address', 'label', found.start, found.end, 0.92, true)
  },
  mrn: form('mrn', /\b(?=[A-Z0-9-]*\d)[A-Z0-9]{1,6}(?:[- ]?[A-Z0-9]{2,10}){0,3}\b/i, 4, 0.85),
  plan(field, report, text) {
    const words = [...field.before, field.phrase].join(' ')
    const context = /^(?:member|policy|group|subscriber|póliza|poliza|polizza|polis|beneficiary|versicherungs)/.test(field.phrase)
      ? text.slice(Math.max(0, field.start - 160), field.end + 120).replace(/member|group|policy|subscriber/gi, '')
      : words
    if (!HEALTH.test(context)) return
    form('health_plan', /\b(?=[A-Z0-9-]*\d)[A-Z0-9]{1,8}(?:[- ]?[A-Z0-9]{2,11}){0,4}\b/i, 4, 0.82)(field, report, text)
  },
  condition(field, report) {
    const found = inside(field, CONDITIONS)
    if (found !== null && found.start - field.start < 60) {
      report('medical_condition', 'label', found.start, found.end, 0.85, true)
      for (const match of field.text.slice(found.end - field.start).matchAll(new RegExp(CONDITIONS.source, 'giu')))
        report('medical_condition', 'label', found.end + match.index, found.end + match.index + match[0].length, 0.8, true)
    } else if (
      /medical|médic|medic|health|illness|disease|erkrankung|krankheit|enfermedad|malattia|maladie|doença|ziekte/.test(field.phrase) &&
      field.quoted &&
      /^\p{Lu}?[\p{L} '-]{4,50}$/u.test(field.text) &&
      !isPlaceholder(field.text) &&
      !isKnownNoName(field.text)
    )
      report('medical_condition', 'label', field.start, field.end, 0.6)
  },
  diagnosis(field, report, text) {
    CHECKS.condition(field, report, text)
    const code = inside(field, ICD10)
    if (code !== null && code.start - field.start < 30 && (/icd|dx/.test(field.phrase) || code.text.includes('.')))
      report('medical_condition', 'icd', code.start, code.end, 0.85, true)
  },
  username(field, report) {
    const text = field.text.replace(/^@/, '')
    const start = field.end - text.length
    if (!/^[\p{L}][\p{L}\p{N}._-]{1,31}$/u.test(text) || !isUser(text) || isCode(field)) return
    const clear =
      /name|login|nutzer|utilisateur|usuario|utente|usuário|utilizador|gebruiker|identifiant|ssh|db|pg|git/.test(field.phrase) ||
      field.before.some((word) => /db|ssh|git|remote|os|unix|linux|ansible|ldap/.test(word))
    if (field.style === 'prose' && !field.quoted) {
      if (
        !(clear && /[\d._-]|^[a-z]+$/.test(text)) ||
        /^(?:and|or|is|not|for|field|must|should|to|in|of|with|from|on|does|exists|taken|cannot|can|will|has|as|was|does|input|at|by|the|that|if)$/i.test(
          text,
        )
      )
        return
    }
    if (!clear && (field.style === 'call' || /^[A-Z][a-z]+$/.test(text) || !field.identifier)) return
    if (
      !field.quoted &&
      field.style === 'assign' &&
      /^[a-z]+[A-Z]|^(?:string|str|text|varchar|int|props|data|await|new|None|serializers?|models?|field|required|active)$/.test(text)
    )
      return
    report('username', 'label', start, field.end, clear ? 0.8 : 0.6)
  },
  hostname(field, report) {
    const match = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*(?=$|[:/\s])/i.exec(field.text)
    if (match === null || /^\d+(?:\.\d+)*$/.test(match[0]) || !isHost(match[0])) return
    const host = match[0]
    if (isInternalHost(host)) report('hostname', 'label', field.start, field.start + host.length, 0.85)
    else if (
      !host.includes('.') &&
      (/name|rechner|machine|computer|hôte|bastion|jump/.test(field.phrase) || field.style === 'env') &&
      /-|\d|^[a-z]+$/i.test(host) &&
      /[-\d]/.test(host) &&
      field.style !== 'prose'
    )
      report('hostname', 'label', field.start, field.start + host.length, 0.65)
  },
}

export function checkField(field: Field, report: Report, text: string): void {
  if (field.text === '' || field.text.length > 2000) return
  CHECKS[field.kind](field, report, text)
}
