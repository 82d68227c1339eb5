import { isNeverName, nameLikeness } from '../people/names.ts'
import { knownPlace, countryAfter } from './cities.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Addresses recognised by the postcode and city, or the known city, at their end. */

const NUMBER = /^(?:#|n[º°]\.?)?\d{1,5}(?:[-–/]\d{1,4}){0,3}[A-Za-z]?(?:[º°ª])?$/u
const UNIT =
  /^(?:nr|no|bl|ap|apt|apto|et|sc|kv|d|korp|m|lok|top|stiege|piso|oficina|depto|dpto|int|ext|esc|pta|izq|dcha|bis|ter|fl|floor|km|of|unit|suite|ste|flat|plot|sector|block|th|tv|sal|lgh)\.?$/i
const PARTICLE =
  /^(?:de|del|de|la|las|los|el|des|du|le|les|da|das|do|dos|di|della|dei|van|der|den|het|von|zu|am|an|und|y|e|et|i|gate|gata|gaten|vei|veien|vej|gade|út|utca|tér|körút|ul|al|pl|os|rue|chemin|avenue|avenida|av|calle|c|rua|r|via|viale|str|straße|strasse|cesta|ulica|ulice|ulitsa|prospekt|cad|cd|sk|sok|mah|jalan|jl|jln|phố|đường|quận|đ|chome|cho|ku|marg|st|rd|road|street|lane|ln|n|s|w)\.?$/iu
const STREET_WORD =
  /^(?:ul|al|pl|os|rue|chemin|avenue|avenida|av|calle|c|rua|r|via|viale|str|straße|strasse|jalan|jl|jln|plot|flat|unit|block|street|road|lane|phố|đường|carrera|cra|cl|piața|piaţa|calea|bulevardul|trg|nám|náměstí|tér|út|utca|körút|gate|gata|gaten|vei|veien|vej|gade|cad|cd|caddesi|sok|sokak|sokağı|bulvarı|mah|mahallesi|cesta|prospekt|ulitsa|marg|nagar|colony|sector|chome)\.?$/iu
/** Words before a number that are not a street. */
const NO_STREET =
  /^(?:conf|conference|summit|version|release|python|node|java|room|chapter|section|figure|table|step|port|line|page|issue|pr|build|week|day|q[1-4]|fy|iso|rfc|monday|tuesday|wednesday|thursday|friday|saturday|sunday|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)$/i
const ADDRESSEE = /^(\p{Lu}[\p{L}\p{M}'’.-]+(?: \p{L}[\p{L}\p{M}'’-]+){1,3}), (?=.*\p{L}{3}.*\d|\d.*\p{L}{3})/u
const MAX_TOKENS = 11
const BACK = 90

const STREET_WORD_INSIDE =
  /(?:stra(?:ß|ss)e|gasse|straat|gatan|vägen|weg|allee|platz|bulvarı|caddesi|sokak|street|road|avenue|calle|rue|via|viale|jalan|ul\.) /iu

/** Start of the address that ends at `end`, or -1 if there is none. */
function addressBefore(text: string, end: number, hasPostcode: boolean): number {
  const from = Math.max(0, end - BACK)
  let slice = text.slice(from, end)
  slice = slice.slice(slice.lastIndexOf('\n') + 1)
  const tokens = slice.split(' ')
  let start = end
  let at = end
  let figures = 0
  let letters = 0
  let hasStreetWord = false
  let first = ''
  for (let index = tokens.length - 1; index >= 0 && tokens.length - index <= MAX_TOKENS; index -= 1) {
    const raw = tokens[index]!
    const opened = Math.max(
      raw.lastIndexOf('"'),
      raw.lastIndexOf("'"),
      raw.lastIndexOf('('),
      raw.lastIndexOf('>'),
      raw.lastIndexOf(':'),
      raw.lastIndexOf('='),
      raw.lastIndexOf('\t'),
      raw.lastIndexOf('|'),
    )
    const token = raw.slice(opened + 1).replace(/[,;]$/, '')
    if (token === '' && !(opened < 0 && index === tokens.length - 1)) break
    const isNumber = NUMBER.test(token)
    const isWord = /^\p{Lu}[\p{L}\p{M}'’.-]*$/u.test(token)
    if (!isNumber && !isWord && !UNIT.test(token) && !PARTICLE.test(token) && token !== '#' && token !== '-') break
    if (isNumber) figures += 1
    if (isWord && token.length > 2 && !UNIT.test(token)) letters += 1
    if (STREET_WORD.test(token) || /(?:stra(?:ß|ss)e|gasse|straat|gatan|vägen|weg|allee|platz)$/iu.test(token)) hasStreetWord = true
    at -= raw.length - (opened + 1) + (index === tokens.length - 1 ? 0 : 1)
    start = at
    first = token
    if (opened >= 0 || /[;]$/.test(tokens[index - 1] ?? '')) break
  }
  if (figures === 0 || letters === 0 || start >= end) return -1
  // "Jane Roe, Hauptstraße 112": the addressee is not part of the address
  const addressee = ADDRESSEE.exec(text.slice(start, end))
  if (addressee !== null && (nameLikeness(addressee[1]!).given || !STREET_WORD_INSIDE.test(`${addressee[1]!} `))) {
    start += addressee[0].length
    first = text.slice(start, end).split(' ', 1)[0]!
  }
  const value = text.slice(start, end)
  if (NO_STREET.test(first) || /(?:^| )(?:19|20)\d\d$/.test(value) || (isNeverName(first.replace(/\.$/, '')) && !STREET_WORD.test(first)))
    return -1
  // an address has a number at either end or after a street word
  if (!/^\d|\d[A-Za-z]?(?:[-–/]\d+[A-Za-z]?){0,3}(?:,|$| )/u.test(value)) return -1
  return hasPostcode || hasStreetWord || /^\d{1,4}[A-Za-z]? \p{Lu}/u.test(value) || /\p{L}{3,},? \d{1,4}[A-Za-z]?$/u.test(value)
    ? start
    : -1
}

const CODE = /(?:^|[,\s])((?:[A-Z]{1,2}-)?\d{3,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}) $/
const CITY =
  /\p{Lu}(?:[\p{L}\p{M}'’-]|\.(?! \p{Lu}\p{Ll}{2}))+(?:(?<!\.)[ -](?:(?:am|an|der|de|la|le|les|sur|en|do|da|del|of|aan|den|los|el|in|im|ob|bei) ){0,2}\p{Lu}[\p{L}\p{M}'’-]+|(?<=St\.) \p{Lu}[\p{L}\p{M}'’-]+){0,2}/uy
/** Reports the address before a postcode and the city at `at`: "Váci út 45, 1134 Budapest". */
export function cityAt(text: string, at: number, report: Report): void {
  let start = at
  const code = CODE.exec(text.slice(Math.max(0, start - 14), start))
  if (code === null) return placeOfStreet(text, start, report, 1)
  // "1016 DV Amsterdam"
  const letters = code[1]!.length === 4 && /^[A-Z]{2} \p{Lu}/u.test(text.slice(start, start + 4)) ? 3 : 0
  const zip = start - 1 - code[1]!.length
  start += letters
  let end = zip
  while (end > 0 && /[\s,]/.test(text[end - 1]!) && zip - end < 3) end -= 1
  if (end === zip) return
  const from = addressBefore(text, end, true)
  if (from < 0) return reportTown(text, zip, start, report)
  const known = knownPlace(text, start)
  if (known === null && code[1]!.length === 3) return
  const city = known?.length ?? matchAt(CITY, text, start)?.[0].replace(/[.'’-]+$/, '').length ?? 0
  if (city < 3 || (known === null && isNeverName(text.slice(start, start + city).split(' ')[0]!))) return
  report('address', 'before a postcode', from, end, 0.8)
  report('zip_code', 'address', zip, start - 1, 0.85)
  report(known?.type ?? 'city', 'address', start, start + city, 0.8)
  countryAfter(text, start + city, report)
}

/** "in 99423 Weimar": a postcode at `zip` and a city at `start`. */
function reportTown(text: string, zip: number, start: number, report: Report): void {
  if (!/(?:^|\s)(?:in|aus|nach|bei|à|en|em|a|te|uit|w|til|till)\s$/.test(text.slice(Math.max(0, zip - 6), zip)) || start - zip < 5) return
  const known = knownPlace(text, start)
  const name = known === null ? (matchAt(CITY, text, start)?.[0].replace(/[.'’-]+$/, '') ?? '') : text.slice(start, start + known.length)
  if (name.length < 3 || (known === null && (isNeverName(name.split(' ')[0]!) || start - zip < 6))) return
  report('zip_code', 'in town', zip, start - 1, 0.75)
  report(known?.type ?? 'city', 'in town', start, start + name.length, 0.7)
}

const CODED_CITY = /(?:^|[\s,])(?:\d{4,6}|\d{3} \d{2}|\d{2}-\d{3}) \p{Lu}/u
const ZIP_AFTER =
  /^(?:,? (?:[A-Z]{2,3},? )?|,? ?[-–] ?)((?:\d{3}-\d{4}|\d{5}-\d{3}|\d{5,6}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}))(?![\w.-])/
/** Reports the address before a comma and the known city at `start`: "R. Augusta, 2690, São Paulo". */
export function placeOfStreet(text: string, start: number, report: Report, gap = 2): void {
  const place = knownPlace(text, start)
  if (place === null) return
  const from = addressBefore(text, start - gap, false)
  if (from < 0 || (gap === 1 && !STREET_WORD_INSIDE.test(text.slice(from, start))) || CODED_CITY.test(text.slice(from, start))) return
  const last = start + place.length
  report('address', 'before a city', from, start - gap, 0.65)
  report(place.type, 'address', start, last, 0.65)
  const zip = ZIP_AFTER.exec(text.slice(last, last + 18))
  if (zip !== null) report('zip_code', 'address', last + zip[0].length - zip[1]!.length, last + zip[0].length, 0.75)
  countryAfter(text, last, report)
}
