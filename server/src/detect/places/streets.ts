import { knownPlace } from './cities.ts'
import { isCountry } from './countries.ts'
import { COUNTRIES } from '../lexicon.ts'
import { isNeverName } from '../people/names.ts'
import type { Report } from '../types.ts'

/** Street addresses by their street word, and the postcode, city and country after it. */

/** Street words that follow the name ("Baker Street"), that precede it ("rue de la Paix"), and endings ("Hauptstraße"). */
export const STREET_AFTER =
  `street|st|avenue|ave|av|road|rd|boulevard|blvd|lane|ln|drive|dr|way|court|ct|place|pl|square|sq|terrace|ter|parkway|pkwy|highway|hwy|circle|cir|crescent|close|alley|row|trail|mews|gardens|grove|hill|loop|walk|broadway|esplanade|quay|parade|close|rise|vale|view|wharf|bypass|expressway|marg|nagar|colony|salai|bagh|caddesi|cad|sokak|sokağı|bulvarı|prospekt|ulitsa|utca|út|tér|körút|dori`.split(
    '|',
  )
export const STREET_BEFORE =
  `straße|strasse|platz|rue|avenue|boulevard|bd|place|chemin|impasse|allée|allee|quai|cours|route|square|passage|faubourg|calle|avenida|avda|plaza|paseo|carrera|camino|ronda|travesía|carrer|via|viale|piazza|corso|largo|vicolo|piazzale|strada|lungotevere|rua|travessa|praça|praca|alameda|rodovia|estrada|av|am|an|auf|im|in|unter|zum|zur|alte|alter|altes|neue|große|kleine|obere|untere|ul|ulica|aleja|al|aleje|plac|os|osiedle|ulice|náměstí|třída|strada|bulevardul|calea|șoseaua|cesta|trg|jalan|jl|jln|lorong|gran|glorieta|urbanización|barrio|callejón|vía|traverse|quartier|résidence|lange|lange|korte|nieuwe|oude|via|borgo|salita|contrada|lungomare|fondamenta|carretera|pasaje|prolongación|blvd|bulevar|ulitsa|prospekt`.split(
    '|',
  )
const ENDING =
  /(?:stra(?:ß|ss)e|str|weg|platz|allee|gasse|ring|damm|ufer|chaussee|steig|stieg|graben|markt|berg|hof|straat|laan|gracht|plein|kade|singel|dijk|steeg|dreef|baan|wal|pad|gatan|vägen|vej|gade|veien|vegen|gata|gaten|gade|alléen|vänd|katu|tie|kuja|polku|torget|plads|stræde|väg|backen|gränd|stræti|gata|stræde|holm|park|bogen|feld|kamp|stieg|brink|horst|kai|zeile|promenade|steinweg|pfad|acker|twiete|wiese|burg|hang|höhe|grund|winkel|bruch|tor|wall|straatweg|markt|poort|haven|laantje|hof)$/iu

const UNIT = String.raw`(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|#|No|Bldg|Building|PO Box)\.? ?#?[A-Z0-9-]{1,6})?`
const BEFORE_STREET = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}_.:/#$+-])((?:(?:Level|Suite|Unit|Apt|Flat|Shop|Floor|Lot|Villa|Apartment|Room|House|Plot) \d{1,4}[A-Za-z]?,? |\d{1,4}[A-Za-z]?\/(?=\d))?\d{1,5}(?:[-–]\d{1,5})?[A-Za-z]?(?: ?1/2)?,? (?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West|Old|New)\.? )?(?:(?:\d{1,3}(?:st|nd|rd|th)|\p{Lu}[\p{L}'’.-]{1,24}|of|the) ){1,4})$`,
  'u',
)

/** "221B Baker Street": the street word is at `start`–`end`. Returns the end of the address, or null. */
export function streetAfter(text: string, start: number, end: number, report: Report): number | null {
  if (!/\p{Lu}/u.test(text[start]!) && !/^(?:street|avenue|road|lane|drive|boulevard)$/.test(text.slice(start, end))) return null
  const match = BEFORE_STREET.exec(text.slice(Math.max(0, start - 90), start))
  // the address in the GNU licences
  if (match === null || /^(?:51 Franklin|59 Temple|675 Mass)\b/.test(match[1]!)) return null
  const word = text.slice(start, end)
  const from = start - match[1]!.length
  if (/^(?:19|20)\d\d /.test(match[1]!) && !/street|avenue|road|boulevard/i.test(word)) return null
  const rest = new RegExp(String.raw`^\.?(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)?${UNIT}`, 'u').exec(
    text.slice(end, end + 50),
  )![0]
  const last = end + (rest === '.' && /^\.(?:\s*$|\s+\p{Lu})/u.test(text.slice(end, end + 4)) && word.length > 4 ? 0 : rest.length)
  const short = /^(?:way|row|hill|loop|walk|close|court|place|drive|square|gardens|grove|circle|trail|pl|ct|dr|st|cir|ter|sq|alley)$/i.test(
    word,
  )
  const hasPostcode = reportAfterStreet(text, last, report)
  report('address', 'street', from, last, hasPostcode ? 0.95 : short && !/^(?:st|dr|ct|pl)$/i.test(word) ? 0.6 : 0.82)
  return last
}

const AFTER_WORD =
  /^\.?(?: (?:de|des|du|la|le|les|l['’]|d['’]|del|della|delle|dei|di|da|do|das|dos|el|los|las|van|der|den|dem|the|e|y|et)\b)*(?: ?(?:\p{Lu}|\d{1,2} de )[\p{L}\p{M}'’.-]*(?: (?:de|des|du|la|le|del|della|di|da|do|dos|das|e|y)\b)*){1,5}/u
const NUMBER_AFTER = /^,? (?:n[º°.]? ?|nr\.? ?|no\.? ?|# ?)?(\d{1,5} ?(?:-\s?\d{1,5}|bis|ter|[A-Za-z](?![\p{L}]))?)(?![\d.:%]|\p{L}{2})/u
/** Floors, flats and offices after a number, in Romance and Slavic addresses. */
const UNIT_BEHIND =
  /^,? (?:apto|apt|ap|appt|piso|depto|dpto|oficina|of|bureau|bte|bloco|bl|int|interno|escalera|esc|planta|local|sala|kv|lok|m)\.? ?(?:\d{1,5}[A-Za-z]?|[A-Z])(?:[º°ª])?(?![\p{L}\d])/iu
const NUMBER_BEFORE = /(?:^|[^\p{L}\p{N}_.:/#$-])(\d{1,4}(?: ?(?:bis|ter|[A-Za-z]))?,? )$/u

/** "12 rue de la Paix", "Calle Mayor 5", "Am Markt 3". */
export function streetBefore(text: string, start: number, end: number, report: Report): number | null {
  const word = text.slice(start, end)
  const name = AFTER_WORD.exec(text.slice(end, end + 70))?.[0]
  if (name === undefined || name.trim() === '' || (!name.startsWith(' ') && !name.startsWith('. '))) return null
  const nameEnd = end + name.replace(/['’]+$/, '').replace(/(?: (?:de|des|du|la|le|del|della|di|da|do|dos|das|e|y))+$/, '').length
  const number = NUMBER_BEFORE.exec(text.slice(Math.max(0, start - 12), start))
  const isSlight =
    /^(?:am|an|auf|im|in|unter|zum|zur|alte|alter|altes|neue|große|kleine|obere|untere|via|place|square|passage|route|strada|largo|cours)$/i.test(
      word,
    )
  const romance = /^(?:rue|avenue|boulevard|bd|place|chemin|impasse|allée|allee|quai|cours|route|square|passage|faubourg)$/i.test(word)
  if (number !== null && romance) {
    const last = nameEnd
    const hasPostcode = reportAfterStreet(text, last, report)
    if (isSlight && !hasPostcode && !/ (?:de|du|des|la|d['’])/.test(name)) return null
    report('address', 'street', start - number[1]!.length, last, hasPostcode ? 0.95 : 0.82)
    return last
  }
  const houseNumber = NUMBER_AFTER.exec(text.slice(nameEnd, nameEnd + 20))
  if (houseNumber === null || !/^\p{Lu}/u.test(word)) return null
  const house = nameEnd + houseNumber[0].length
  const last = house + (UNIT_BEHIND.exec(text.slice(house, house + 24))?.[0].length ?? 0)
  const hasPostcode = reportAfterStreet(text, last, report)
  if (isSlight && !hasPostcode && !/^Via$/.test(word)) return null
  if (
    /^(?:Via|In|An|Am)$/.test(word) &&
    /\b(?:API|HTTP|CLI|URL|Step|Section|Chapter|Version|Python|Node|Java|Port|Line|Figure|Table)\b/.test(name)
  )
    return null
  report('address', 'street', start, last, hasPostcode ? 0.95 : 0.8)
  return last
}

/** "Hauptstraße 12", "Keizersgracht 123": a capitalised word with a street ending and a number after it. */
export function streetByEnding(text: string, start: number, end: number, report: Report): number | null {
  const word = text.slice(start, end)
  if (!ENDING.test(word) || !/^\p{Lu}/u.test(word) || /^(?:sub)?strings?$/i.test(word)) return null
  const isSure =
    /(?:stra(?:ß|ss)e|str|straat|gracht|allee|gasse|laan|weg|platz|plein|chaussee|singel|gatan|vägen|gade|gata|gaten|vej|veien|katu|stræde|ring|damm|ufer|steig|chaussee|kade)$/iu.test(
      word,
    )
  const houseNumber =
    /^\.?,? (\d{1,4} ?(?:[a-zA-Z](?![\p{L}]))?(?:\s?[-–/]\s?\d{1,4}[a-z]?){0,2}(?: bis| ter)?(?:, (?:\d{1,2}\. ?(?:OG|Stock|Etage|etg|sal|th|tv|mf|tr)(?:\.? ?(?:th|tv|mf|links|rechts))?|st\. ?(?:th|tv)|kl\.? ?(?:th|tv)|EG|Top \d{1,3}|lgh \d{3,4}))?)(?![\d:%]|\.\d|\p{L}{2})/u.exec(
      text.slice(end, end + 40),
    )
  if (houseNumber === null) return null
  // "Große Bergstraße": words that belong to the name
  const lead = /(?:(?:\p{Lu}[\p{L}]+-?[ -])(?:(?:von|der|den|de|van)-?[ -])?){1,3}$/u.exec(text.slice(Math.max(0, start - 40), start))
  const alone = /^(?:Stra(?:ß|ss)e|Str|Platz|Allee|Weg|Ring|Damm|Ufer|Chaussee|Gasse|Markt|Steig|Promenade|Kai|Hof)$/u.test(word)
  if (alone && lead === null) return null
  const from =
    lead !== null && alone
      ? start - lead[0].length
      : lead !== null && /(?:-$|Straße|^Große |^Kleine |^Alte |^Neue |-)/u.test(lead[0]) && text[start - 1] === '-'
        ? start - lead[0].length
        : start
  const last = end + houseNumber[0].trimEnd().length
  const hasPostcode = reportAfterStreet(text, last, report)
  if (!isSure && !hasPostcode) return null
  report('address', 'street', from, last, hasPostcode ? 0.95 : 0.82)
  return last
}

const CITY = String.raw`\p{Lu}[\p{L}\p{M}'’.-]+(?:[ -](?:(?:am|an|der|de|la|le|les|sur|en|do|da|del|upon|of|aan|den|los|el|in|im|ob|bei) ){0,2}\p{Lu}[\p{L}\p{M}'’.-]+){0,2}`
const US = new RegExp(String.raw`^[,\s"']{1,5}(${CITY}),? ([A-Z]{2})\.?,? (\d{5}(?:-\d{4})?)(?!\d)`, 'u')
const UK = new RegExp(
  String.raw`^[,\s"']{1,5}(${CITY})(?:,? \p{Lu}[\p{L} ]{2,20})?[, "']{1,5}([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b`,
  'u',
)
const CONTINENT = new RegExp(
  String.raw`^(?:[,\s]{1,3}|\s?[-–]\s?)(?:[A-Z]{1,2}-)?(\d{4,5}(?:-\d{3})?(?: [A-Z]{2})?|\d{4} ?[A-Z]{2}) (${CITY})`,
  'u',
)
const BRAZIL = new RegExp(String.raw`^(?:,| -) (?:[\p{L} ]{3,30}, )?(${CITY})(?:(?: ?[-,/] ?)[A-Z]{2})?,? (?:CEP:? ?)?(\d{5}-\d{3})\b`, 'u')
const PLAIN = new RegExp(String.raw`^, (${CITY})(?=[,.;)"'\n]|$)`, 'u')

/** ", Fitzroy VIC 3065", ", Auckland 1010". */
const PACIFIC =
  /^(?:,? |,?\n\s*)(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})(?:,? (?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT)|(?<=Auckland|Wellington|Christchurch|Hamilton|Tauranga|Dunedin|Nelson|Napier|Queenstown|Rotorua|Nairobi|Oslo|Riga|Sofia)),? (\d{4,5})(?![\d-])/u
/** Reports the postcode, city and country after a street; true if there was a postcode. */
function reportAfterStreet(text: string, at: number, report: Report): boolean {
  const rest = text.slice(at, at + 110)
  const us = US.exec(rest) ?? UK.exec(rest) ?? BRAZIL.exec(rest) ?? PACIFIC.exec(rest)
  const place = us ?? CONTINENT.exec(rest)
  if (place === null && CELLS.test(rest)) return reportCellsAfter(text, at, rest, report)
  if (place === null) {
    const town = /^ (?:à|in|en|em|te|i|w) (?=\p{Lu})/u.exec(rest)
    const known = town === null ? null : knownPlace(text, at + town[0].length)
    if (known !== null) report(known.type, 'address', at + town![0].length, at + town![0].length + known.length, 0.7)
    const plain = PLAIN.exec(rest)
    if (plain === null || /(?:Floor|Suite|Level|Building|Room)$/.test(plain[1]!)) return false
    if (COUNTRIES.has(plain[1]!.toLowerCase())) report('country', 'address', at + 2, at + plain[0].length, 0.75)
    else report('city', 'address', at + 2, at + plain[0].length, 0.65)
    return false
  }
  const [zip, city] = us === null ? [place[1]!, place[2]!] : [place.at(-1)!, place[1]!]
  const zipAt = at + (us === null ? place[0].indexOf(zip) : place[0].lastIndexOf(zip))
  const cityAt = at + (us === null ? place[0].lastIndexOf(city) : place[0].indexOf(city))
  report('zip_code', 'address', zipAt, zipAt + zip.length, 0.9)
  report('city', 'address', cityAt, cityAt + city.length, 0.88)
  const end = at + place[0].length
  const country = /^,? ?\(?([\p{L} .]{4,40}?)\)?(?=[,.;"'\n)]|$)/u.exec(text.slice(end, end + 50))
  if (country !== null && COUNTRIES.has(country[1]!.trim().toLowerCase())) {
    const from = end + country[0].indexOf(country[1]!.trim())
    report('country', 'address', from, from + country[1]!.trim().length, 0.85)
  }
  return true
}

const CELLS =
  /^["']?[,;] ?["']?(?:\d{4,6}["']?[,;] ?["']?\p{Lu}|\p{Lu}[\p{L}\p{M} .'’-]{1,30}["'][,;] ?["'](?:\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})["'])/u
/** Cells of a row after a street: `', '20250', 'Casablanca', 'Maroc'`. */
function reportCellsAfter(text: string, at: number, rest: string, report: Report): boolean {
  let zip = false
  for (const { 0: cell, 1: value, index } of rest.matchAll(/[,;] ?["']?([\p{L}\d][\p{L}\p{M}\d .'’-]{2,30}?)["']?(?=[,;)\n]|$)/gu)) {
    const start = at + index + cell.indexOf(value!)
    if (/^(?:\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/.test(value!)) {
      report('zip_code', 'address', start, start + value!.length, 0.75)
      zip = true
    } else if (isCountry(value!)) return (report('country', 'address', start, start + value!.length, 0.75), zip)
    else if (/^\p{Lu}[\p{L}\p{M} .'’-]+$/u.test(value!) && !isNeverName(value!))
      report('city', 'address', start, start + value!.length, 0.65)
    else return zip
  }
  return zip
}

const BOX_BEFORE = /(?:P\.?\s?O\.?|Post(?:al)?(?: Office)?|Private|GPO) $/i
/** "P.O. Box 4471", "Postfach 12 34 56", "Blk 512 Bedok North Ave 2 #08-117": the word is at `start`–`end`. */
export function boxAt(text: string, start: number, end: number, report: Report): void {
  const word = text.slice(start, end).toLowerCase()
  if (word === 'blk') {
    const block = /^ \d{1,4}[A-Z]? (?:\p{Lu}[\p{L}]+ ){1,4}(?:\d{1,3})?(?:,? #\d{1,3}-\d{1,4}[A-Z]?)?/u.exec(text.slice(end, end + 60))
    if (block === null) return
    const last = end + block[0].trimEnd().length
    report('address', 'block', start, last, 0.8)
    reportAfterStreet(text, last, report)
    return
  }
  const lead = word === 'box' ? BOX_BEFORE.exec(text.slice(Math.max(0, start - 20), start)) : /(?=$)/.exec('')
  const number = /^(?: no\.?| nr\.?| postal)?:? (\d{1,4}(?: ?\d{2,3}){0,2})(?![\d.:])/i.exec(text.slice(end, end + 24))
  if (lead === null || number === null) return
  const last = end + number[0].length
  report('address', 'box', start - (word === 'box' ? lead[0].length : 0), last, 0.8)
  reportAfterStreet(text, last, report)
}
