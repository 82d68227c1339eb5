import { isCountry } from '../places/countries.ts'
import { COUNTRIES } from '../lexicon.ts'
import { isNeverName, nameLikeness } from '../people/names.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import { knownPlace, countryAfter } from '../places/cities.ts'
import { sliceAt, type Check, isCode } from './value-check.ts'

/** Labels of places that are not always addresses. */
const OFFICES = /^(?:office|clinic|shop|store|warehouse|branch|site|home|praxis|filiale|cabinet|consultorio|sede|venue|depot)$/
const STREET_IN =
  /\b(?:st|street|rd|road|ave|avenue|lane|drive|blvd|boulevard|way|court|square|place|plaza|calle|avenida|av|rua|rue|via|viale|piazza|ulica|ul|platz|level \d|floor)\b|(?:stra(?:ß|ss)e|gasse|straat|gatan|weg|vej|allee|platz)\b|\d,? \d{4,5} \p{Lu}/iu
export const street: Check = (field, report, whole) => {
  const text = field.text.replace(/[\s,;]+$/, '')
  if (/resid|wohn|domici|bosatt|address|adresse|morada/.test(field.phrase) && isCountry(text))
    return report('country', 'label', field.start, field.start + text.length, 0.75)
  if (field.phrase === 'line' && !(field.quoted && NEAR_PLACE.test(sliceAt(whole, field.start - 120, field.end + 120)))) return
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
  } else if (field.kind === 'street' && field.quoted && /^\p{Lu}[\p{L} .'-]{3,40}$/u.test(text) && !isNeverName(text))
    report('address', 'label', field.start, field.start + text.length, 0.6)
}

/** Labels of the other parts of an address. */
const NEAR_PLACE =
  /["'_ \n](?:city|town|street|postal|postcode|address|country|state|ville|ciudad|ort|plz|cep|line1|billing|shipping|locality)(?![a-z])/i

/** Length of an unquoted address, which ends with its sentence. */
const addressLength = (text: string) =>
  /^(?:[^.\n]|(?<!\p{Ll}{3})\.|\.(?!\s+\p{Lu}\p{Ll}+(?:\s\p{Ll}|[:/,])|\s+[–—] ))+/u
    .exec(text)![0]
    .replace(SENTENCE_CONTINUES, '')
    .replace(NEXT_FIELD, '')
    .replace(/[\s,.;]+$/, '').length
const SENTENCE_CONTINUES =
  /(?<=\d.*)\s(?:with|and|near|since|because|who|which|for|but|while|when|is|was|has|mit|und|avec|et|con|y|e|met|en)\s\p{Ll}.*$/u
/** Text after an address on the same line that is not part of it. */
const NEXT_FIELD =
  /,? (?:ring|call|tel\w*|phone|mobile|mob|cell|iban|attn|bell|e-?mail|mail|fax|handy|telefon|tlf|dob|born|vat|ust-?id|siret|cif|nif|cpf|cnpj|passport|ssn)\b.*$/i
const HOUSE_NUMBER = /(?<![\p{L}\d-]|(?:RFC|ISO|IPv|section|version|port) ?)\d{1,6}(?:[ /-]?\p{L}|\/\d{1,4})?(?![\p{L}\d])|\d[\p{L}]?-\d/iu
/** Network addresses, not postal ones. */
const NO_PLACE =
  /^(?:memory|ip|mac|e?mail|bind|listen|server|base|virtual|physical|web|contract|wallet|return|socket|peer|network|register|start|end|load)$/
/** The name before the street: "Ship to: Jane Roe, 12 Main Street". */
const ADDRESSEE = /^((?:\p{Lu}[\p{L}\p{M}'’.-]+ (?:(?:de|van|von|der|den|da|di|del|la) ){0,2}){1,3}\p{Lu}[\p{L}\p{M}'’-]+),\s+(?=.*\d)/u

const ZIP =
  /^(?:[A-Z]{1,2}-)?(?:\d{5}-\d{4}|\d{5}-\d{3}|\d{4}-\d{3}|\d{3}-\d{4}|\d{3} \d{2}|\d{2}-\d{3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[AC-FHKNPRTV-Y]\d[\dW] ?[0-9AC-FHKNPRTV-Y]{4}|\d{4,6})(?![\w-])/i

const CODED_CITY =
  /^((?:[A-Z]{1,2}-)?\d{4,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}|\d{4} ?[A-Z]{2}),? (\p{Lu}[\p{L}\p{M}'’-]+(?:[ -](?:(?:am|an|der|de|la|le|sur|en|do|da|del|of|aan|den|in|im|ob|bei) ){0,2}\p{Lu}[\p{L}\p{M}'’-]+){0,2})/u
/** Labels that are not only used for places. */
const LOOSE_PLACE = /^(?:location|standort|ubicación|sede|based|office location|timezone city|lieu)$/
export const city: Check = (field, report, whole) => {
  if (isCode(field)) return
  // "PLZ/Ort: 8008 Zürich", "Zip / City: …"
  const coded = CODED_CITY.exec(field.text)
  if (coded !== null && !isNeverName(coded[2]!)) {
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
  if (text.length < 2 || text.length > 40 || isPlaceholder(text) || isNeverName(text) || !/^\p{Lu}[\p{L}\p{M}'’. /()-]+$/u.test(text))
    return
  if (field.style === 'prose' && field.phrase.length < 5) return
  if (LOOSE_PLACE.test(field.phrase)) {
    const place = knownPlace(whole, field.start)
    if (place !== null) {
      report(place.type, 'label', field.start, field.start + place.length, 0.65)
      countryAfter(whole, field.start + place.length, report)
    }
    return
  }
  countryAfter(whole, field.start + text.length, report)
  report('city', 'label', field.start, field.start + text.length, field.style === 'prose' ? 0.65 : 0.8)
}

export const country: Check = (field, report) => {
  const text = (field.quoted ? field.text : field.text.replace(/[,(/].*$|\.\s.*$/, '')).replace(/[\s.,;]+$/, '')
  if (COUNTRIES.has(text.toLowerCase()) || isCountry(text) || (NATIONS.test(field.phrase) && DEMONYM.test(text) && !isPlaceholder(text)))
    report('country', 'label', field.start, field.start + text.length, 0.85, true)
  else if (/^[A-Z]{2,3}$/.test(text) && field.quoted && field.style !== 'compare' && field.style !== 'call')
    report('country', 'label', field.start, field.start + text.length, 0.4)
}

const NATIONS = /^(?:nation|citizen|staatsan|obywatel|uyruk|państwo|nacional|nazional)/
/** Words for people of a country: Kenyan, Vietnamese, Danish. */
const DEMONYM = /^\p{Lu}\p{Ll}{2,}(?:an|ese|ish|i|isch|ais|aise|ien|ienne|ano|ana|ense|ês|eira|és|esa|ska|nsk|ss)(?:[ /-]\p{Lu}\p{Ll}+)?$/u

export const zip: Check = (field, report, whole) => {
  const match = ZIP.exec(field.text)
  if (match === null || /^0+$/.test(match[0])) return
  if (/^(?:cap|cp|cep|postal)$/.test(field.phrase) && !/^\d{4,5}(?:-\d{3})?$/.test(match[0])) return
  const place = /^,? (\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2})(?=[\s,.;"']|$)/u.exec(field.text.slice(match[0].length))
  const isClearPostcode =
    match[0].includes('-') ||
    (/^\d{5}$/.test(match[0]) &&
      field.style === 'prose' &&
      /^(?:ZIP|CAP|CP|C\.P\.|zip)[.:]? $/.test(
        sliceAt(whole, field.start - (field.phrase === 'c p' ? 5 : field.phrase.length + 1), field.start),
      ) &&
      !/^ (?:files?|bytes?|items|entries|archives?|rows|MB|KB)/.test(
        sliceAt(whole, field.end - (field.text.length - match[0].length), field.end + 10),
      )) ||
    (match[0].length === 5 &&
      (place !== null || (field.phrase === 'zip' && sliceAt(whole, field.start - 5, field.start - 1).endsWith('ZIP'))))
  const isNearPlace = field.quoted && NEAR_PLACE.test(sliceAt(whole, field.start - 120, field.end + 120))
  if (
    !isNearPlace &&
    /^(?:cap|cp|zip)$/.test(field.phrase) &&
    ((field.style === 'prose' && !isClearPostcode) || field.style === 'flag' || match[0].length < 5)
  )
    return
  const last = field.start + match[0].length
  report('zip_code', 'label', field.start, last, 0.85)
  if (place !== null && !isNeverName(place[1]!))
    report('city', 'postcode', last + place[0].length - place[1]!.length, last + place[0].length, 0.75)
}
