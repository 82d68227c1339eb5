import { COUNTRIES } from '../lexicon.ts'
import { familyNameRank, givenNameRank, isNeverName, isOrdinaryWord } from '../people/names.ts'
import type { Report } from '../types.ts'
import { CITIES as NAMES } from '../word-lists/index.ts'
import { matchAt } from '../match-at.ts'

/** Cities and countries, if the text around them shows that someone lives or works there. */

const CITIES = new Set(NAMES)
const PLACE_NAME = /\p{Lu}[\p{L}\p{M}.'’]+(?:[ -]\p{L}[\p{L}\p{M}.'’]+){0,3}/uy
const PERSON_CONTEXT =
  /\b(?:i['’]?m|i am|he['’]s|she['’]s|they['’]re|we['’]re|you['’]re|who['’]s|is|are|was|were|been|am|currently|now|lives?|lived|living|home|house|flat|apartment|place|office|hometown|born|grew up|raised|moving|moved|move|relocat\w+|(?:moved?|moving|relocat\w+|flew|flying|travel\w*|drove|commut\w+) from \p{Lu}[\p{L}-]+|flying|flew|travel\w*|meet|meeting|met|landed|arrived|arriving|visiting|stationed|resident|citizen|native|back|staying|stays?|working|works|team|colleague|client|customer|family|mother|father|parents|brother|sister|friend|issued by|issued|ausgestellt|geboren|aufgewachsen|lebt|arbeitet|délivré|née?|expedido|nacid[oa]|rilasciato|nat[oa]|emitido|afgegeven|geboren) (?:here |now |over |up |back |out |mostly )?(?:in|to|from|near|of|at|outside|by|aus|nach|bei|à|au|en|de|em|a|te|uit)\s$/iu
/** Last words of PERSON_CONTEXT. */
const AT_PLACES = new Set('in to from near of at outside by aus nach bei à au en de em a te uit'.split(' '))
/** Reports a city or country at `start` that the text connects with a person: "I'm in Dakar", "issued in Portugal". */
export function placeAt(text: string, start: number, report: Report): void {
  if (
    text[start - 1] !== ' ' ||
    !/[a-zàé] $/.test(text.slice(start - 2, start)) ||
    !AT_PLACES.has(text.slice(text.lastIndexOf(' ', start - 2) + 1, start - 1).toLowerCase()) ||
    !PERSON_CONTEXT.test(text.slice(Math.max(0, start - 56), start))
  )
    return
  const place = knownPlace(text, start)
  if (place === null) return
  report(place.type, 'place of somebody', start, start + place.length, 0.6)
  countryAfter(text, start + place.length, report)
}

const LAND = /, (?=\p{Lu})/uy
/** "Lausanne, Switzerland": a capitalised word from `start` to `end` with a country after it. */
export function cityBeforeCountry(text: string, start: number, end: number, report: Report): void {
  LAND.lastIndex = end
  if (!LAND.test(text) || /[\p{L}\p{N}_.@/-]$|\b(?:of|the|and|or) $|, $/u.test(text.slice(Math.max(0, start - 5), start))) return
  const word = text.slice(start, end)
  const country = knownPlace(text, end + 2)
  if (
    country?.type !== 'country' ||
    COUNTRIES.has(word.toLowerCase()) ||
    /^,? (?:and|or|&) |^, \p{Lu}/u.test(text.slice(end + 2 + country.length, end + 8 + country.length))
  )
    return
  if (knownPlace(text, start)?.type !== 'city') return
  report('city', 'of a country', start, end, 0.6)
  report('country', 'of a country', end + 2, end + 2 + country.length, 0.6)
}

const OFFICE = / (?:office|branch|warehouse|hospital|airport|plant|depot|store|clinic|campus|team|site)\b/y
const OURS = /\b(?:the|our|their|your|my|from|at)\s$/
/** "the Ulaanbaatar office": a capitalised word from `start` to `end`. */
export function officeAt(text: string, start: number, end: number, report: Report): void {
  OFFICE.lastIndex = end
  if (!OFFICE.test(text) || !OURS.test(text.slice(Math.max(0, start - 6), start))) return
  const place = knownPlace(text, start)
  const firm = / (?:office|branch|warehouse|hospital|airport|plant|depot)/y
  firm.lastIndex = end
  const word = text.slice(start, end)
  if (place !== null) report(place.type, 'office', start, start + place.length, 0.65)
  else if (
    firm.test(text) &&
    /^\p{Lu}\p{Ll}{4,}$/u.test(word) &&
    !isOrdinaryWord(word.toLowerCase()) &&
    !isNeverName(word) &&
    givenNameRank(word) === 0 &&
    familyNameRank(word) === 0
  )
    report('city', 'office', start, end, 0.55)
}

/** The longest city or country that begins at `start`. */
export function knownPlace(text: string, start: number): { type: 'city' | 'country'; length: number } | null {
  let name = matchAt(PLACE_NAME, text, start)?.[0].replace(/[.'’]+$/, '') ?? ''
  while (name !== '') {
    const lower = name.toLowerCase()
    if (CITIES.has(lower)) return { type: 'city', length: name.length }
    if (COUNTRIES.has(lower)) return { type: 'country', length: name.length }
    const cut = Math.max(name.lastIndexOf(' '), name.lastIndexOf('-'))
    name = cut > 0 ? name.slice(0, cut) : ''
  }
  return null
}

/** Reports the country after a city that ends at `last`. */
export function countryAfter(text: string, last: number, report: Report): void {
  const land = /^(?:(?:,? \S{3,9})?, | \()(?=\p{Lu})/u.exec(text.slice(last, last + 14))
  if (land === null) return
  const country = knownPlace(text, last + land[0].length)
  if (country?.type === 'country') report('country', 'address', last + land[0].length, last + land[0].length + country.length, 0.7)
}

/** Reports a place after a person's name: ", Mumbai". */
export function placeAfter(text: string, end: number, report: Report): void {
  const link = /^(?:, | \((?:from )?| (?:from|of|in|aus|de) )(?=\p{Lu})/u.exec(text.slice(end, end + 12))
  if (link === null) return
  const place = knownPlace(text, end + link[0].length)
  if (place !== null) report(place.type, 'place of somebody', end + link[0].length, end + link[0].length + place.length, 0.6)
}

const LIVES =
  /(?: in| to| à| en| em| a| te)? (?:(?:now|jetzt|seit \S{3,9}|maintenant|ahora|agora|ora|nu|currently|derzeit|still) )?(?:in |à |en |em |a |te )?(\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2})(?=[\s,.;!?"'\\]|$)/uy
/** "lives in Rotterdam", "wohnt in Ulm": `end` is after the verb. */
export function residenceAt(text: string, end: number, report: Report): void {
  const match = matchAt(LIVES, text, end)
  const city = match?.[1]
  if (match === null || city === undefined || !/^ (?:\S+ ){0,3}?(?:in|to|à|en|em|a|te) /.test(match[0]) || isNeverName(city.split(' ')[0]!))
    return
  const start = end + match[0].length - city.length
  if (COUNTRIES.has(city.toLowerCase())) report('country', 'lives in', start, start + city.length, 0.7)
  else if (!/^[A-Z]+$/.test(city)) {
    report('city', 'lives in', start, start + city.length, 0.6)
    countryAfter(text, start + city.length, report)
  }
}
