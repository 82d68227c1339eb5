import { cardIssuer, classOfIpv4, ibanLength, luhn, mod97, ssnInRange } from './checks.ts'
import { codeIn, isRouting } from './codes.ts'
import { conditionsIn } from './conditions.ts'
import { birthDateAt } from './dates.ts'
import type { Field } from './fields.ts'
import { LABELS } from './labels.ts'
import { isCountry } from './countries.ts'
import { isInternalHost } from './domains.ts'
import { isHost, isUser } from './hosts.ts'
import { COUNTRIES, ICD10 } from './lexicon.ts'
import { isMachine, isPublicName } from './machines.ts'
import { isKnownNoName, isOrdinary, nameLikeness } from './names.ts'
import { nationalId } from './national-ids.ts'
import { isInternational, isNational } from './phone.ts'
import { knownPlace, landBehind } from './places.ts'
import { isPlaceholder } from './placeholders.ts'
import { isCoinedPhrase, isEvident, looksLikePassword, looksLikeSecret } from './secret-values.ts'
import type { PiiType, Report } from './types.ts'
import { isHandle } from './users.ts'

/** Whether the value beside a label is what the label says, by kind. */
type Check = (field: Field, report: Report, text: string) => void

const inside = (field: Field, pattern: RegExp) => {
  const match = pattern.exec(field.text)
  return match === null ? null : { start: field.start + match.index, end: field.start + match.index + match[0].length, text: match[0] }
}

const isCode = (field: Field) => !field.quoted && /[(){}=$]|^\w+\.\w+|^(?:null|true|false|undefined|none)$/i.test(field.text)

/** A number of letters and digits beside its label: passports, licences, records, plans. */
const form =
  (type: PiiType, least: { digits: number; signs: number; most: number }, confidence: number): Check =>
  (field, report) => {
    const code = codeIn(field.text, least)
    if (code === null) return
    const value = field.text.slice(code.start, code.end)
    if (!field.quoted && field.style === 'prose' && /[a-z]/.test(value)) return
    report(type, 'label', field.start + code.start, field.start + code.end, confidence)
  }
const RECORD = { digits: 4, signs: 5, most: 16 }
const PASSPORT = { digits: 2, signs: 6, most: 12 }
const LICENCE = { digits: 4, signs: 5, most: 18 }
const PLAN = { digits: 4, signs: 6, most: 20 }

const HEALTH =
  /health|insur|medic|patient|plan|benefit|subscriber|versicher|kranken|mutuelle|salud|sanit|saúde|saude|zorg|aetna|cigna|blue ?cross|bcbs|humana|kaiser|member/i
/** The form of most insurers: letters of the plan, the member's number. */
const MEMBER = /^[A-Z]{1,4}\d{7,12}(?![\w-])/
const BANK =
  /bsb|blz|bank|acct|account|rout|konto|compte|cuenta|conto|conta|rekening|deposit|sort|aba|wire|transfer|rib|clabe|ccc|nib|iban/i

const secretCheck =
  (least: number, confidence: number): Check =>
  (field, report, text) => {
    if (CODES.has(field.phrase)) return codes(field, report, text)
    if (PHRASES.test(field.phrase)) return words(field, report, text)
    if (/(?:licen[cs]e|activation|product|serial|registration|cd) (?:key|code)$/.test(field.phrase)) {
      if (!GROUPS.test(field.text) || !/\d/.test(field.text) || isPlaceholder(field.text)) return
      return report('secret', 'licence', field.start, field.end, 0.8)
    }
    if (/^[A-Z][A-Z_]{3,}=/.test(field.text)) return // the name of the next one
    const pair = USER_AND_PASSWORD.test(field.phrase) || field.phrase === 'auth' ? PAIRED.exec(field.text) : null
    if (pair !== null && looksLikePassword(pair[2]!, { quoted: false, firm: true }) && (isEvident(pair[2]!) || /\d/.test(pair[2]!))) {
      const at = field.start + pair[1]!.length + 1
      if (isUser(pair[1]!)) report('username', 'pair', field.start, at - 1, 0.75)
      return report('password', 'pair', at, field.end, 0.8)
    }
    if (field.kind === 'token' && AUTHORIZATION.test(field.phrase)) {
      const scheme = SCHEMED.exec(text.slice(field.start, field.start + 600))
      if (scheme !== null && looksLikeSecret(scheme[1]!, { quoted: true, uuid: true, least: 16 })) {
        const at = field.start + scheme[0].length - scheme[1]!.length
        return report('auth_token', 'header', at, at + scheme[1]!.length, 0.85)
      }
    }
    if (field.text.length < 8 || (field.kind === 'token' && field.before.includes('public'))) return
    if (field.style === 'prose' && !field.quoted && !/\d/.test(field.text)) return
    if (/cookie/.test(field.phrase) && /^[\w.-]{1,80}=(?!=?$)/.test(field.text)) return // its pairs are read one by one
    const strong = /(?:auth|access|api|refresh|private) ?token$|secret|api|private|encryption|signing|access|hmac|webhook|client/i.test(
      `${field.before.join(' ')} ${field.phrase}`,
    )
    if (
      looksLikeSecret(field.text, {
        quoted: field.quoted,
        uuid:
          (field.style === 'env' && !PUBLIC_ID.test(field.before.join(' '))) ||
          (strong && (field.kind !== 'token' || /(?:auth|access|api|refresh|private) ?token$/.test(field.phrase))),
        least,
      })
    )
      report('secret', 'telling name', field.start, field.end, confidence)
    else if (
      field.kind === 'secret' &&
      /secret|passphrase/.test(field.phrase) &&
      field.text.length >= 8 &&
      /\d/.test(field.text) &&
      (field.quoted || field.style === 'env' || SHOUTED.test(around(text, field.start - 60, field.start))) &&
      looksLikePassword(field.text, { quoted: field.quoted, firm: field.style === 'env' }) &&
      (!/^[\w-]+(?:\.[\w-]+)*$/.test(field.text.replaceAll(/\d+$/g, '')) ||
        MIXED.test(field.text) ||
        SHOUTED.test(around(text, field.start - 60, field.start)))
    )
      report('secret', 'telling name', field.start, field.end, 0.65)
  }

/** A constant of settings before a value: `JWT_SECRET=`. */
const SHOUTED = /[A-Z\d]_[A-Z_]{3,}["']?\s?[:=]\s?["']?$/
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d[A-Za-z]).{8,}$/
const USER_AND_PASSWORD = /(?:basic auth|credentials?|creds|user ?pass|userpwd)$/
const PAIRED = /^([A-Za-z][\w.@-]{1,39})[:/]([^\s"'`$<{/][^\s"'`<>{}]{5,100})$/
const AUTHORIZATION = /authorization|auth header|x auth/
/** `Token …`, `SSWS …`, `Api-Key …` of a header. */
const SCHEMED = /^(?:[A-Za-z][\w-]{1,24}[ =]{1,2}"?)([A-Za-z0-9_\-.~+/=]{16,500})(?=["'`\s\\]|$)/
/** What stands before a token that opens nothing. */
const PUBLIC_ID = /public|client id|request|trace|session id|csrf|device|message|page|next|continuation|sync|cancel/

const TITLES = /^(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau|Mme|Mlle|M|Sra?|Srta|Do[nñ]a?|Dott|Sig|Dhr|Mevr|Rev|Ing|med)\.? (?=\p{Lu}))*/u

const GROUPS = /^(?=.*[A-Z])[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){2,7}$|^(?=.*[A-Za-z])[A-Za-z\d+/=_-]{16,400}$/
const PHRASES = /mnemonic|bip39|(?:seed|recovery|backup|secret|wallet) (?:phrase|words)$/
const SEED_WORDS = /^(?:[a-z]{3,8}(?:,? |\n)){11,23}[a-z]{3,8}(?![a-z])/
/** Twelve to twenty-four plain words that open a wallet. */
function words(field: Field, report: Report, text: string): void {
  const phrase = SEED_WORDS.exec(text.slice(field.start, field.start + 240))?.[0]
  if (phrase === undefined || /\b(?:your|the|and|of|here|goes|words?|phrase|is|for|with)\b/.test(phrase)) return
  report('secret', 'seed phrase', field.start, field.start + phrase.length, 0.9)
}

/** Labels of short numbers that open something. */
const CODES = new Set(
  'pin|pin number|puk|puk code|otp|one time code|one time password|mfa code|2fa code|verification code|door code|alarm code|gate code|unlock code|safe code|voicemail pin|sim pin|card pin|atm pin|access code|security code|card security code|entry code|keypad code|lock code|lockbox code|login code|sms code|einmalcode|sicherheitscode|bestätigungscode|verifizierungscode|freischaltcode|code de vérification|code de confirmation|code de sécurité|código de verificación|código de confirmación|código de seguridad|codice di verifica|codice di conferma|código de verificação|verificatiecode|bevestigingscode|kod weryfikacyjny|confirmation code|authentication code|security pin|tan|mtan|recovery code|recovery codes|backup code|backup codes|two factor backup|2fa backup'.split(
    '|',
  ),
)
const SEVERAL =
  /^["'[]?([A-Za-z\d]{4,8}(?:-[A-Za-z\d]{4,8}){0,3})(?:["']?[\s,]{1,3}["']?[A-Za-z\d]{4,8}(?:-[A-Za-z\d]{4,8}){0,3}(?![\w-])){0,15}/
function codes(field: Field, report: Report, text: string): void {
  if (/recovery|backup/.test(field.phrase)) {
    const list = SEVERAL.exec(text.slice(field.start, field.start + 300))?.[0] ?? ''
    for (const { 0: code, index } of list.matchAll(/[A-Za-z\d]+(?:-[A-Za-z\d]+)*/g)) {
      if (!/\d/.test(code) || code.length < 6) break
      report('secret', 'code', field.start + index, field.start + index + code.length, 0.75)
    }
    return
  }
  const code = /^(?:\d{3}[- ]\d{3}|\d{4,10}[#*]?)(?!\w|\.\d)/.exec(text.slice(field.start, field.start + 14))?.[0]
  if (code === undefined || /^(?:19|20)\d\d$|^0+$|^1234/.test(code)) return
  if (field.style === 'prose' || field.quoted || field.style === 'env' || field.style === 'assign')
    report('secret', 'code', field.start, field.start + code.length, 0.65)
}

const person: Check = (field, report, whole) => {
  if (
    isHandle(field.text) &&
    (field.quoted || field.style === 'env' || /^[ \t]*(?:[,\]}#]|\r?\n|$)/.test(whole.slice(field.end, field.end + 8))) &&
    ACCOUNTED.test(field.phrase)
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
  const named = /name|holder|titular|intestatario|inhaber|houder|titulaire|nom|maiden/.test(field.phrase)
  if (words < 2 && !given && (!named || /^display ?name$/.test(field.phrase) || text.toLowerCase() === field.phrase)) return
  if (!given && field.style === 'prose' && text === text.toUpperCase()) return
  if (field.style === 'prose' && !given && words < 2) return
  report('person', 'label', field.start + titles, field.start + text.length, Math.min(0.95, given ? 0.92 : words > 1 ? 0.78 : 0.6))
}

/** Labels of people under which systems put accounts. */
const ACCOUNTED =
  /assignee|reviewer|reporter|author|actor|owner|maintainer|committer|\bby$|on ?call|requester|lead|approver|submitter|creator|editor name/

/** Taxpayers without a social security number: groups of the Internal Revenue Service. */
const ITIN = /^9\d\d[- ]?(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])[- ]?\d{4}$/

const NEAR_BANK = /\b(?:sort code|bsb|iban|bic|swift|blz|bank|routing|aba|wire|direct deposit)\b/i
const around = (text: string, start: number, end: number) => text.slice(Math.max(0, start), Math.max(0, end))

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

const given: Check = (field, report) => {
  if (/^(?:given|family)$/.test(field.phrase) && (!field.quoted || /font|type|op|product/.test(field.before.join(' ')))) return
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
  /["'_,;|\s](?:e-?mail|phone|birth|dob|ssn|surname|last_?name|address|street|zip|plz|telefon|correo|passport|iban|account|customer_id|patient|customer|mrn|gender|age|salary|role|title|team|nationality|employee)(?![a-z])|@[\w-]+\.\w/i
/** An address behind a name: `, Main Street 5`, `, 12 rue …`, `01067 Dresden`. */
const LIVES_AT = /^,\s[^,\n]{0,40}\b\d{1,5}\p{L}?\b|\b\d{4,5} \p{Lu}\p{Ll}/u
const plainName: Check = (field, report, text) => {
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
  const near =
    NEIGHBOURS.test(text.slice(Math.max(0, field.start - 140), field.end + 140)) ||
    LIVES_AT.test(text.slice(field.start + value.length, field.start + value.length + 80))
  if (words >= 2 && known) report('person', 'label', field.start, field.start + value.length, near ? 0.92 : 0.75)
  else if (words >= 2 && near && field.style !== 'prose') report('person', 'label', field.start, field.start + value.length, 0.65)
  else if (known && (near || field.style === 'prose') && words === 1)
    report('person', 'label', field.start, field.start + value.length, 0.6)
}

/** Labels of places that are no address every time. */
const OFFICES = /^(?:office|clinic|shop|store|warehouse|branch|site|home|praxis|filiale|cabinet|consultorio|sede|venue|depot)$/
const STREET_IN =
  /\b(?:st|street|rd|road|ave|avenue|lane|drive|blvd|boulevard|way|court|square|place|plaza|calle|avenida|av|rua|rue|via|viale|piazza|ulica|ul|platz|level \d|floor)\b|(?:stra(?:ß|ss)e|gasse|straat|gatan|weg|vej|allee|platz)\b|\d,? \d{4,5} \p{Lu}/iu
const street: Check = (field, report, whole) => {
  const text = field.text.replace(/[\s,;]+$/, '')
  if (/resid|wohn|domici|bosatt|address|adresse|morada/.test(field.phrase) && isCountry(text))
    return report('country', 'label', field.start, field.start + text.length, 0.75)
  if (field.phrase === 'line' && !(field.quoted && NEAR_PLACE.test(around(whole, field.start - 120, field.end + 120)))) return
  if (OFFICES.test(field.phrase) && (field.style === 'prose' || !STREET_IN.test(text))) return
  if (text.length < 4 || isPlaceholder(text) || isCode(field) || text.includes('@')) return
  if (field.kind === 'street' && !field.quoted && field.style === 'prose') return
  if (
    HOUSE_NUMBER.test(text) &&
    /\p{L}{3}/u.test(text) &&
    /\s/.test(text) &&
    !/[<>{}=\\[\]]|::|\/\/|\d+\.\d+\.\d+|0x/.test(text) &&
    !/^(?:https?|tcp|udp|0x)/.test(text)
  ) {
    if (!/\p{Lu}/u.test(text) && !field.quoted) return
    if (NO_PLACE.test(field.before.at(-1) ?? '')) return
    const addressee = ADDRESSEE.exec(text)
    const name = addressee === null ? null : nameLikeness(addressee[1]!)
    const lead = addressee !== null && name!.sure > 0 && (name!.given || field.kind === 'address') ? addressee[0].length : 0
    if (lead > 0) report('person', 'addressee', field.start, field.start + addressee![1]!.length, name!.given ? 0.9 : 0.7)
    const rest = text.slice(lead)
    const end = field.quoted ? rest.length : addressLength(rest)
    report('address', 'label', field.start + lead, field.start + lead + end, 0.85)
  } else if (field.kind === 'street' && field.quoted && /^\p{Lu}[\p{L} .'-]{3,40}$/u.test(text) && !isKnownNoName(text))
    report('address', 'label', field.start, field.start + text.length, 0.6)
}

/** Names of the other parts of an address. */
const NEAR_PLACE =
  /["'_ \n](?:city|town|street|postal|postcode|address|country|state|ville|ciudad|ort|plz|cep|line1|billing|shipping|locality)(?![a-z])/i

/** An unquoted address ends with its sentence. */
const addressLength = (text: string) =>
  /^(?:[^.\n]|(?<!\p{Ll}{3})\.|\.(?!\s+\p{Lu}\p{Ll}+(?:\s\p{Ll}|[:/,])|\s+[–—] ))+/u
    .exec(text)![0]
    .replace(GOES_ON, '')
    .replace(NEXT_FIELD, '')
    .replace(/[\s,.;]+$/, '').length
const GOES_ON =
  /(?<=\d.*)\s(?:with|and|near|since|because|who|which|for|but|while|when|is|was|has|mit|und|avec|et|con|y|e|met|en)\s\p{Ll}.*$/u
/** What stands behind an address on its line and is none of it. */
const NEXT_FIELD =
  /,? (?:ring|call|tel\w*|phone|mobile|mob|cell|iban|attn|bell|e-?mail|mail|fax|handy|telefon|tlf|dob|born|vat|ust-?id|siret|cif|nif|cpf|cnpj|passport|ssn)\b.*$/i
const HOUSE_NUMBER = /(?<![\p{L}\d-]|(?:RFC|ISO|IPv|section|version|port) ?)\d{1,6}(?:[ /-]?\p{L}|\/\d{1,4})?(?![\p{L}\d])|\d[\p{L}]?-\d/iu
/** Addresses of machines, not of people. */
const NO_PLACE =
  /^(?:memory|ip|mac|e?mail|bind|listen|server|base|virtual|physical|web|contract|wallet|return|socket|peer|network|register|start|end|load)$/
/** The name before the street: "Ship to: Jane Roe, 12 Main Street". */
const ADDRESSEE = /^((?:\p{Lu}[\p{L}\p{M}'’.-]+ (?:(?:de|van|von|der|den|da|di|del|la) ){0,2}){1,3}\p{Lu}[\p{L}\p{M}'’-]+),\s+(?=.*\d)/u

const ZIP =
  /^(?:[A-Z]{1,2}-)?(?:\d{5}-\d{4}|\d{5}-\d{3}|\d{4}-\d{3}|\d{3}-\d{4}|\d{3} \d{2}|\d{2}-\d{3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[AC-FHKNPRTV-Y]\d[\dW] ?[0-9AC-FHKNPRTV-Y]{4}|\d{4,6})(?![\w-])/i

const CODED_CITY =
  /^((?:[A-Z]{1,2}-)?\d{4,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}|\d{4} ?[A-Z]{2}),? (\p{Lu}[\p{L}\p{M}'’-]+(?:[ -](?:(?:am|an|der|de|la|le|sur|en|do|da|del|of|aan|den|in|im|ob|bei) ){0,2}\p{Lu}[\p{L}\p{M}'’-]+){0,2})/u
/** Labels that places stand under as well as other things. */
const LOOSE_PLACE = /^(?:location|standort|ubicación|sede|based|office location|timezone city|lieu)$/
const city: Check = (field, report, whole) => {
  if (isCode(field)) return
  // "PLZ/Ort: 8008 Zürich", "Zip / City: …"
  const coded = CODED_CITY.exec(field.text)
  if (coded !== null && !isKnownNoName(coded[2]!)) {
    report('zip_code', 'label', field.start, field.start + coded[1]!.length, 0.85)
    const at = field.start + coded[0].length - coded[2]!.length
    return report('city', 'label', at, at + coded[2]!.length, 0.8)
  }
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
  if (LOOSE_PLACE.test(field.phrase)) {
    const place = knownPlace(whole, field.start)
    if (place !== null) {
      report(place.type, 'label', field.start, field.start + place.length, 0.65)
      landBehind(whole, field.start + place.length, report)
    }
    return
  }
  landBehind(whole, field.start + text.length, report)
  report('city', 'label', field.start, field.start + text.length, field.style === 'prose' ? 0.65 : 0.8)
}

const country: Check = (field, report) => {
  const text = (field.quoted ? field.text : field.text.replace(/[,(/].*$|\.\s.*$/, '')).replace(/[\s.,;]+$/, '')
  if (COUNTRIES.has(text.toLowerCase()) || isCountry(text) || (NATIONS.test(field.phrase) && DEMONYM.test(text) && !isPlaceholder(text)))
    report('country', 'label', field.start, field.start + text.length, 0.85, true)
  else if (/^[A-Z]{2,3}$/.test(text) && field.quoted && field.style !== 'compare' && field.style !== 'call')
    report('country', 'label', field.start, field.start + text.length, 0.4)
}

const NATIONS = /^(?:nation|citizen|staatsan|obywatel|uyruk|państwo|nacional|nazional)/
/** Words for somebody of a country: Kenyan, Vietnamese, Danish. */
const DEMONYM = /^\p{Lu}\p{Ll}{2,}(?:an|ese|ish|i|isch|ais|aise|ien|ienne|ano|ana|ense|ês|eira|és|esa|ska|nsk|ss)(?:[ /-]\p{Lu}\p{Ll}+)?$/u

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
  else if (!/^\D*1?\D*555\D*555/.test(raw) && /[ ().-]/.test(raw) && figures >= 9 && !/^(?:call|sms)$/.test(field.phrase))
    report('phone', 'label', field.start, field.start + raw.length, 0.55)
}

/** `spring.mail.password=…` alone on its line. */
const isProperty = (field: Field, text: string) =>
  !field.quoted &&
  field.style === 'assign' &&
  field.text.length >= 8 &&
  !/^[a-z]+$/.test(field.text) &&
  /(?:(?:^|\n)[a-z][\w-]*(?:\.[\w-]+){2,}[ \t]*[=:][ \t]*|\/:_password=)$/.test(around(text, field.start - 100, field.start)) &&
  /^[ \t]*(?:\r?\n|$)/.test(text.slice(field.end, field.end + 8))

/** The value of a key, whole to the end of its line. */
const endsLine = (field: Field, text: string) =>
  field.style === 'assign' &&
  !field.quoted &&
  isCoinedPhrase(field.text) &&
  /^[ \t]*(?:#|\r?\n|$)/.test(text.slice(field.end, field.end + 8))
/** Plain words, hardly one of them of a sentence about passwords. */
const isPhrase = (value: string) => {
  const words = value.split(' ')
  return (
    words.length > 2 &&
    words.length < 9 &&
    words.every((word) => /^\p{L}{2,14}$/u.test(word)) &&
    words.filter(isOrdinary).length * 2 <= words.length
  )
}

/** Of mail providers: four times four letters. */
const SPACED_PASSWORD = /^[a-z]{4}(?: [a-z]{4}){3}(?![\w ])/
const PASSPHRASE = /^\p{L}[\p{L}-]{1,15}(?: \p{L}[\p{L}-]{1,15}){1,7}(?=[ \t]*(?:\r?\n|$))/u

const CHECKS: Record<Field['kind'], Check> = {
  password(field, report, whole) {
    const spaced = SPACED_PASSWORD.exec(around(whole, field.start, field.start + 24))
    if (spaced !== null) return report('password', 'app password', field.start, field.start + spaced[0].length, 0.85)
    if (field.style === 'env' && field.phrase.endsWith('phrase')) {
      const phrase = PASSPHRASE.exec(around(whole, field.start, field.start + 120))
      if (phrase !== null && !isPlaceholder(phrase[0]))
        return report('password', 'passphrase', field.start, field.start + phrase[0].length, 0.75)
    }
    if (!field.quoted && /^[A-Z][a-z]+(?:To)?-[A-Z][a-z]+[A-Z]\w+$|^(?:Get|Read|New|Convert\w*)-\w+$/.test(field.text)) return // a cmdlet
    if (field.style === 'call' && /^[a-z]+(?:[._][a-zA-Z]+)+$/.test(field.text)) return // the name of a text
    const weak = /^(?:pass|pw|clave|parola|mdp|psw|passw)$/.test(field.phrase)
    if (field.style === 'compare' && weak) return
    if (weak && (field.style === 'prose' || /\s/.test(field.text))) return
    if (/^(?:pass)$/.test(field.phrase) && field.identifier && field.style === 'assign' && !field.quoted && !/\d/.test(field.text)) return
    if (field.style === 'prose' && !field.quoted && (!/\d|[!@#$%^&*]/.test(field.text) || /^\d+$/.test(field.text))) return
    const firm = field.style === 'env' || field.style === 'flag' || isProperty(field, whole) || endsLine(field, whole)
    if (LABELS.get(field.text.toLowerCase()) === 'password') return // its own name in another language
    if (field.phrase.endsWith('phrase') && !field.quoted && field.style === 'assign') {
      const phrase = PASSPHRASE.exec(around(whole, field.start, field.start + 120))?.[0]
      if (phrase !== undefined && isPhrase(phrase)) return report('password', 'passphrase', field.start, field.start + phrase.length, 0.7)
    }
    if (field.phrase.endsWith('phrase') && field.quoted && isPhrase(field.text))
      return report('password', 'passphrase', field.start, field.end, 0.75)
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
    const found = inside(field, /[A-Z0-9][A-Z0-9 .\-/+]{5,22}[A-Z0-9]/i)
    if (found === null || found.start > field.start + 10) return
    const us = /^\d{3}[- ]?\d{2}[- ]?\d{4}(?![\w-])/.exec(found.text)
    if (us !== null && ssnInRange(us[0].replaceAll(/\D/g, ''))) report('ssn', 'label', found.start, found.start + us[0].length, 0.95, true)
    else if (us !== null && ITIN.test(us[0])) report('ssn', 'itin', found.start, found.start + us[0].length, 0.9, true)
    else {
      // the number may be followed by other words: the longest leading part that a rule knows
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
  },
  // the German, Dutch and French forms mix letters and figures
  passport(field, report, text) {
    if (!field.phrase.startsWith('doc')) return form('passport', PASSPORT, 0.88)(field, report, text)
    const near = text.slice(Math.max(0, field.start - 160), field.end + 100)
    if (/passport|reisepass|passeport|pasaporte|passaport|paspoort/i.test(near)) form('passport', PASSPORT, 0.75)(field, report, text)
    else if (/driv\w+.?licen[cs]e|führerschein|permis|rijbewijs/i.test(near)) form('driver_license', LICENCE, 0.7)(field, report, text)
  },
  license: form('driver_license', LICENCE, 0.82),
  birth(field, report, text) {
    const lead = /^(?:(?:on|am|le|el|il|em|op|the|den)\s){0,2}/i.exec(field.text)![0].length
    const end = birthDateAt(text, field.start + lead)
    if (end === null) return
    const time = /^T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?/.exec(text.slice(end, end + 30))?.[0].length ?? 0
    report('date_of_birth', 'label', field.start + lead, end + time, 0.92, true)
    const place = /^,? (?:in|à|a|en|em|te|zu) (\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2})/u.exec(text.slice(end, end + 60))
    if (place !== null && !isKnownNoName(place[1]!)) {
      report('city', 'birth', end + place[0].length - place[1]!.length, end + place[0].length, 0.7)
      landBehind(text, end + place[0].length, report)
    }
  },
  card(field, report) {
    const found = inside(field, /\d(?:[ -]?\d){12,18}/)
    const plain = found?.text.replaceAll(/\D/g, '') ?? ''
    if (found !== null && luhn(plain) && cardIssuer(plain) !== null) report('credit_card', 'label', found.start, found.end, 0.97, true)
    else if (/^pan\b/.test(field.phrase) && /^[A-Z]{3}[ABCFGHLJPTK][A-Z]\d{4}[A-Z](?![A-Za-z0-9])/.test(field.text))
      report('ssn', 'label', field.start, field.start + 10, 0.9, true)
  },
  account(field, report, text) {
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
      !NEAR_BANK.test(`${around(text, field.start - 80, field.start - 8)} ${around(text, field.end, field.end + 40)}`)
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
      !(/\d{4}[ -]\d{4}/.test(field.text) && NEAR_BANK.test(around(text, field.start - 80, field.end + 80)))
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
  zip(field, report, whole) {
    const match = ZIP.exec(field.text)
    if (match === null || /^0+$/.test(match[0])) return
    if (/^(?:cap|cp|cep|postal)$/.test(field.phrase) && !/^\d{4,5}(?:-\d{3})?$/.test(match[0])) return
    const place = /^,? (\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2})(?=[\s,.;"']|$)/u.exec(field.text.slice(match[0].length))
    const firm =
      match[0].includes('-') ||
      (/^\d{5}$/.test(match[0]) &&
        field.style === 'prose' &&
        /^(?:ZIP|CAP|CP|C\.P\.|zip)[.:]? $/.test(
          around(whole, field.start - (field.phrase === 'c p' ? 5 : field.phrase.length + 1), field.start),
        ) &&
        !/^ (?:files?|bytes?|items|entries|archives?|rows|MB|KB)/.test(
          around(whole, field.end - (field.text.length - match[0].length), field.end + 10),
        )) ||
      (match[0].length === 5 &&
        (place !== null || (field.phrase === 'zip' && around(whole, field.start - 5, field.start - 1).endsWith('ZIP'))))
    const cells = field.quoted && NEAR_PLACE.test(around(whole, field.start - 120, field.end + 120))
    if (
      !cells &&
      /^(?:cap|cp|zip)$/.test(field.phrase) &&
      ((field.style === 'prose' && !firm) || field.style === 'flag' || match[0].length < 5)
    )
      return
    const last = field.start + match[0].length
    report('zip_code', 'label', field.start, last, 0.85)
    if (place !== null && !isKnownNoName(place[1]!))
      report('city', 'postcode', last + place[0].length - place[1]!.length, last + place[0].length, 0.75)
  },
  city,
  country,
  ip(field, report) {
    const found = inside(field, /^\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)/)
    if (found !== null && classOfIpv4(found.text.split('.').map(Number)) === 'public')
      report('ip_address', 'label', found.start, found.end, 0.92, true)
  },
  mrn: form('mrn', RECORD, 0.85),
  plan(field, report, text) {
    const words = [...field.before, field.phrase].join(' ')
    const context = /^(?:member|policy|plan (?:id|no|number)|group|subscriber|póliza|poliza|polizza|polis|beneficiary|versicherungs)/.test(
      field.phrase,
    )
      ? text.slice(Math.max(0, field.start - 160), field.end + 120).replace(/member|group|policy|plan|subscriber/gi, '')
      : words
    const ofMember = /^(?:member|subscriber|beneficiary)/.test(field.phrase) && MEMBER.test(field.text)
    if (!ofMember && !HEALTH.test(context)) return
    form('health_plan', PLAN, ofMember ? 0.7 : 0.82)(field, report, text)
  },
  condition(field, report, text) {
    const found = conditionsIn(field.text).filter(({ start }) => start < 80)
    if (found.length > 0) {
      for (const { start, end } of found) report('medical_condition', 'label', field.start + start, field.start + end, 0.85, true)
      if (field.quoted && field.style === 'assign') listed(text, field.end, report)
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
  username(field, report, whole) {
    const text = field.text.replace(/^@/, '')
    if (text.toLowerCase() === field.phrase) return
    // a turn of a conversation: "user: here are the …"
    if (
      !field.quoted &&
      field.style === 'assign' &&
      /^(?:user|usuario|utilisateur)$/.test(field.phrase) &&
      /^ \p{Ll}+ \p{L}+/u.test(whole.slice(field.end, field.end + 40))
    )
      return
    const packed =
      field.style === 'assign' && /^[A-Za-z0-9+/]{8,60}={0,2}$/.test(text) && text.length % 4 === 0
        ? Buffer.from(text, 'base64').toString('latin1')
        : ''
    if (/^[a-z][\w.@-]{3,40}$/.test(packed) && isUser(packed) && (text.endsWith('=') || /[_.-]|\d$/.test(packed)))
      return report('username', 'base64', field.start, field.end, 0.75)
    if (!field.quoted && /(?:\bto\s|(?:self|this)\.\w{1,30}\s?=\s?|_handle\s?=\s?)$/.test(around(whole, field.start - 40, field.start)))
      return
    const start = field.end - text.length
    if (
      !/^[\p{L}][\p{L}\p{N}._-]{1,31}$/u.test(text) ||
      !isUser(text) ||
      (isCode(field) && !/^[a-z]{1,20}\.[a-z]{2,20}$/.test(text) && !(ofElement(field, whole) && /^[a-z]{3,20}\.[a-z]$/.test(text)))
    )
      return
    const clear =
      /name|login|nutzer|utilisateur|usuario|utente|usuário|utilizador|gebruiker|identifiant|ssh|db|pg|git|admin ?user|(?:smtp|mail|ftp|proxy|service|ldap|bind|auth|http|vpn|root|master|basic auth) user/.test(
        field.phrase,
      ) || field.before.some((word) => /db|ssh|git|remote|os|unix|linux|ansible|ldap/.test(word))
    if (field.style === 'prose' && !field.quoted) {
      const acted =
        /\b(?:for|by|of|invalid|unknown|from|as) user $/i.test(around(whole, field.start - 20, field.start)) ||
        /^ (?:from \d|logged|authenticated|connected|failed|denied)/.test(whole.slice(field.end, field.end + 16))
      if (
        !((clear || (acted && /[\d._-]/.test(text))) && /[\d._-]|^[a-z]+$/.test(text)) ||
        /^(?:always|never|now|still|only|also|then|either|usually|and|or|is|not|for|field|must|should|to|in|of|with|from|on|does|exists|taken|cannot|can|will|has|as|was|does|input|at|by|the|that|if)$/i.test(
          text,
        )
      )
        return
    }
    if (!field.quoted && field.style === 'assign' && TYPED_CODE.test(text)) return
    if (field.quoted && /\?\s?["']\w+["']\s?:\s?["']$/.test(around(whole, field.start - 40, field.start))) return // a choice of two words
    if (!clear && field.style !== 'prose' && (field.style === 'call' || /^[A-Z][a-z]+$/.test(text) || !field.identifier)) return
    if (
      !field.quoted &&
      field.style === 'assign' &&
      /^[a-z]+[A-Z]|^(?:string|str|text|varchar|int|props|data|await|new|None|serializers?|models?|field|required|active)$/.test(text)
    )
      return
    report('username', 'label', start, field.end, clear ? 0.8 : 0.6)
  },
  cvv(field, report, text) {
    if (
      /^\d{3,4}$/.test(field.text) &&
      (field.style !== 'prose' ||
        (/^(?:cvv|cvc)2?$/.test(field.phrase) && /\d{4}|card|carte|tarjeta|karte/i.test(around(text, field.start - 80, field.start - 5))))
    )
      report('secret', 'card code', field.start, field.end, 0.75)
  },
  hostname(field, report, whole) {
    const match = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*(?=$|[:/\s])/i.exec(field.text)
    if (match === null || /^\d+(?:\.\d+)*$/.test(match[0]) || !isHost(match[0])) return
    const host = match[0]
    if (NAMED_MACHINE.test(field.phrase) && isOwnName(host, field))
      return report('hostname', 'label', field.start, field.start + host.length, 0.7)
    if (isInternalHost(host)) report('hostname', 'label', field.start, field.start + host.length, 0.85)
    else if (isMachine(host) && field.style !== 'compare')
      report('hostname', 'label', field.start, field.start + host.length, field.style === 'prose' ? 0.65 : 0.75)
    else if (
      field.style === 'flag' &&
      field.phrase.endsWith('name') &&
      !/["'`]\s$/.test(around(whole, field.start - 2, field.start)) &&
      /^[a-z][a-z0-9-]{4,40}$/.test(host) &&
      !host.split('-').every(isOrdinary) &&
      !isOrdinary(host)
    )
      report('hostname', 'label', field.start, field.start + host.length, 0.65)
    else if (
      !host.includes('.') &&
      (/name|rechner|machine|computer|hôte|bastion|jump/.test(field.phrase) || field.style === 'env') &&
      /-|\d|^[a-z]+$/i.test(host) &&
      (/\d/.test(host) || (field.style === 'env' && host.includes('-'))) &&
      field.style !== 'prose' &&
      field.style !== 'compare'
    )
      report('hostname', 'label', field.start, field.start + host.length, 0.65)
  },
}

/** Labels of nothing but machines' names. */
const NAMED_MACHINE = /host ?name$|computer ?name|machine ?name|device ?name|node ?name|rechnername|nom d'hôte|fqdn|^host$|^server$|^box$/
/** A machine's name as somebody chose it: `lenovo-anna`, `hermes-02`, `marvin.lab.uni-x.de`; no service, no product. */
function isOwnName(host: string, field: Field): boolean {
  const labels = host.split('.')
  if (field.style === 'compare' || field.style === 'call') return false
  if (labels.length > 3) return isMachine(host) || (field.style !== 'flag' && !isPublicName(host))
  if (labels.length > 1) return false
  const parts = host.split('-')
  const own = parts.some((part) => part.length > 2 && /^\p{L}+\d{0,4}$/u.test(part) && !isOrdinary(part.replace(/\d+$/, '').toLowerCase()))
  if (/^(?:host|server|box)$/.test(field.phrase)) return field.style !== 'prose' && own && /[a-z]-?\d{1,4}$/i.test(host)
  if (field.style === 'prose') return own && parts.length > 1 && /\d|^[A-Z-]+$/.test(host)
  return own && (parts.length > 1 || host.length > 4)
}

/** `<user>…</user>`, `?user=…&`. */
const ofElement = (field: Field, text: string) =>
  (text[field.start - 1] === '>' && text.startsWith('</', field.end)) ||
  (text[field.start - 1] === '=' && /[?&]\w+=$/.test(around(text, field.start - 20, field.start)))

/** Types and variables of a language, no user. */
const TYPED_CODE =
  /^(?:[A-Z][a-z\d]+){2,}$|^[A-Z]+[a-z]+(?:[A-Z]+[a-z]*)+$|^(?:number|boolean|bool|void|never|symbol|bigint|char|byte|float|double|long|list|dict|tuple|set|map|array|function|callable|type|class|object|any|unknown|async|await|maybe_\w+|\w+_(?:id|name|handle|user|token|key|type|class|model|obj|object|value))$/

/** The rest of a list that a condition begins: `["asthma", "epilepsy"]`. */
function listed(text: string, end: number, report: Report): void {
  const rest = text.slice(end, end + 600)
  const list = /^["'](?:\s{0,20},\s{0,20}["'][^"'\n]{2,60}["']){1,20}/.exec(rest)?.[0]
  if (list === undefined) return
  for (const { start, end: last } of conditionsIn(list)) report('medical_condition', 'label', end + start, end + last, 0.8, true)
}

export function checkField(field: Field, report: Report, text: string): void {
  if (field.text === '' || field.text.length > 2000) return
  CHECKS[field.kind](field, report, text)
  if (field.quoted && text.charCodeAt(field.start - 2) === 91) others(field, report, text)
}

/** The further values of a list: `["…", "…"]`. */
function others(field: Field, report: Report, text: string): void {
  LIST_GOES_ON.lastIndex = field.end
  for (let count = 0; count < 40; count += 1) {
    const value = LIST_GOES_ON.exec(text)?.[1]
    if (value === undefined) return
    const end = LIST_GOES_ON.lastIndex - 1
    CHECKS[field.kind]({ ...field, text: value, start: end - value.length, end }, report, text)
    LIST_GOES_ON.lastIndex = end
  }
}
const LIST_GOES_ON = /["'],\s{0,20}["']([^"'\n]{2,200})["']/y
