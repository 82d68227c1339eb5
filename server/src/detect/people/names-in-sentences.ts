import { COUNTRIES } from '../lexicon.ts'
import { familyNameRank, givenNameRank, isParticle } from './names.ts'
import { placeAfter } from '../places/cities.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Names of people without a label: a known given name with a family name, or with a verb for people. */

const WORD = String.raw`\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*`
const PARTICLE = String.raw`(?:de|da|do|dos|das|del|della|di|du|la|le|van|der|den|von|zu|bin|ibn|al|el|ter|ten|y|e|af|av)`
const PHRASE = new RegExp(String.raw`${WORD}\.?(?: (?:${PARTICLE} ){0,3}${WORD}\.?){1,4}`, 'uy')
/** Words that show that the name before them belongs to a company, a place or a method. */
const NO_PERSON =
  /^['’]?s? ?-?(?:GmbH|AG|KG|Inc|LLC|Ltd|Corp|SA|plc|& Co|University|Universität|Institute|Foundation|School|College|Hospital|Library|Museum|Airport|Bridge|Park|Award|Prize|Medal|Licen[cs]e|Street|Road|Avenue|Lane|Drive|Square|County|[aA]rchitectures?|[aA]lgorithms?|[tT]heorem|[lL]emma|[mM]ethod|[tT]ransform|[dD]istance|[dD]istribution|[kK]ernel|[pP]rocess|[nN]umbers?|[sS]equence|[cC]ycles?|[tT]est|GPUs?|nodes?|[eE]quations?|[pP]rotocol|[lL]aw|[cC]onjecture|[eE]ncoding|[cC]oding|[fF]ormat|[tT]heme|[eE]dition|[fF]ont)(?![\p{L}])/u
/** Famous names and placeholder names. */
const FAMED = new Set(
  `john doe|jane doe|joe bloggs|max mustermann|erika mustermann|john smith|jane smith|alice smith|bob smith|foo bar|ada lovelace|alan turing|grace hopper|claude shannon|donald knuth|edsger dijkstra|linus torvalds|dennis ritchie|ken thompson|brian kernighan|bjarne stroustrup|guido van rossum|james gosling|tim berners-lee|barbara liskov|martin fowler|kent beck|robert martin|robert c martin|rob pike|larry wall|richard stallman|steve jobs|bill gates|elon musk|mark zuckerberg|jeff bezos|sam altman|albert einstein|isaac newton|carl friedrich gauss|leonhard euler|john von neumann|von neumann|shakespeare|william shakespeare|george washington|abraham lincoln|martin luther king|sherlock holmes|harry potter|santa claus|lorem ipsum|san francisco|monte carlo|kana supplement|yarn berry|los angeles|santa clara|santa monica|san jose|san diego|las vegas|sri lanka|hong kong|new york|saint petersburg|mary jane|johns hopkins|george mason|robert bosch|ernst young|hewlett packard|harley davidson|rolls royce|jack daniels|jim beam|dow jones|goldman sachs|morgan stanley|wells fargo|merrill lynch|charles schwab|louis vuitton|hugo boss|calvin klein|ralph lauren|tommy hilfiger|christian dior`.split(
    '|',
  ),
)

/** Greetings at the start of a letter. */
const GREETING =
  /^(?:Beste|Liebe[rs]?|Hallo|Dear|Hey|Hi|Hej|Hei|Ciao|Salut|Bonjour|Hola|Estimad[oa]|Querid[oa]|Car[oa]|Gentile|Prezad[oa]|Geachte|Cher|Chère|Olá|Ahoj|Moin|Servus|Lieve|Kære|Kjære|Hyvä|Drogi|Droga|Szanown[ya])$/
const isInitial = (word: string) => /^\p{Lu}\.?$/u.test(word)

/** The confidence that words without context are a person's name; 0 if they are none. */
function nameConfidence(words: readonly string[]): number {
  const bare = words.filter((word) => !isParticle(word) && !isInitial(word))
  if (bare.length < 2) return 0
  const first = givenNameRank(bare[0]!)
  const last = bare.at(-1)!
  const family = familyNameRank(last)
  if (bare.some((word) => givenNameRank(word) < 0 && familyNameRank(word) < 1)) return 0
  const isShout = words.every((word) => word === word.toUpperCase())
  if (isShout && (first < 2 || family < 1 || last.length < 4)) return 0
  if (words.slice(1).some(isParticle)) return first > 0 && last.length > 2 ? 0.75 : 0
  if (first === 2) {
    if (family === 2) return 0.85
    if (family === 1 || givenNameRank(last) === 2) return 0.75
    return last.length > 3 && /^\p{Lu}[\p{Ll}\p{M}]+(?:['’-]\p{Lu}?\p{Ll}+)*$|^(?:Mc|Mac|O['’])\p{Lu}\p{Ll}+$/u.test(last) ? 0.6 : 0
  }
  if (first === 1) return family === 2 || (family === 1 && bare.length > 2) ? 0.65 : 0
  if (familyNameRank(bare[0]!) === 2 && givenNameRank(last) === 2) return 0.65
  // an unknown given name with a known family name
  return first === 0 && bare.length === 2 && family === 2 && last.length > 4 && bare.every((word) => /^\p{Lu}\p{Ll}{3,}$/u.test(word))
    ? 0.55
    : 0
}

const JOINED = new Uint8Array(128)
for (let code = 0; code < 128; code += 1) JOINED[code] = /[\w.@/\\$#%&+=-]/.test(String.fromCharCode(code)) ? 1 : 0
const isJoinedToPrevious = (text: string, at: number) => {
  if (at === 0) return false
  const code = text.charCodeAt(at - 1)
  return code < 128 ? JOINED[code] === 1 : /[\p{L}\p{N}]/u.test(text[at - 1]!)
}

/** Capitalised words starting at `start`: "Milena Jovanović", "Jean-Luc van den Berg". */
export function mentionAt(text: string, start: number, report: Report): void {
  if (isJoinedToPrevious(text, start)) return
  const phrase = matchAt(PHRASE, text, start)?.[0]
  if (phrase === undefined) return
  const all = phrase.split(' ')
  // a dot ends the sentence unless it follows an initial or a title
  const last = all.findIndex((word) => /\p{Ll}{3}\.$/u.test(word))
  const words = last < 0 ? all : all.slice(0, last + 1)
  if (GREETING.test(words[0]!)) return
  for (let count = words.length; count > 1; count -= 1) {
    const nameWords = words.slice(0, count)
    if (isParticle(nameWords.at(-1)!)) continue
    const name = nameWords.join(' ').replace(/(?<=\p{L}{2})[.'’]+$|['’]s$/u, '')
    const end = start + name.length
    const after = text.slice(end, end + 16)
    if (/^[\p{L}\p{N}_@/=([`]/u.test(after) || /^['’]?s? \(\)|^:\/\/|^\.\p{L}/u.test(after)) continue
    const confidence = nameConfidence(name.split(' '))
    if (confidence === 0) continue
    if (FAMED.has(name.toLowerCase().replaceAll('.', '')) || NO_PERSON.test(after)) return
    if (
      confidence < 0.8 &&
      /(?:^|[\s"'(])(?:the|a|an|The|A|An|class|type|interface|import|new)\s$/.test(text.slice(Math.max(0, start - 11), start))
    )
      return
    report('person', 'name', start, end, confidence)
    placeAfter(text, end, report)
    return
  }
}

/** Verbs that confirm that the given name before them is a person. */
const PERSON_VERBS = new Set(
  `said says wrote writes asked asks told tells pushed merged fixed reported reports thinks wants wanted joined starts started agreed agrees disagree disagrees replied suggested suggests mentioned mentions approved reviewed confirmed works worked lives lived sent called calls emailed noticed promised prefers owes moved knows knew left took gave went came complained insists insisted explained answered forwarded signed booked paid ordered bought visited met broke reproduced landed paired shared needs has had will would could should can is was and or from`.split(
    ' ',
  ),
)
const WEAK_VERBS = new Set(`has had will would could should can is was and or from needs`.split(' '))
/** Words before a person's name. */
const LEAD_WORDS =
  /(?:^|[\s"'(—–])(?:ask|asked|tell|told|told me|ping|pinged|thank|thanks|thanks to|cc|met|meet|with|to|from|by|for|via|call|called|email|emailed|and|when|because|if|as|let|see|say|says|said|message|remind|contact)\s$/i
const STRONG = /(?:ask|asked|tell|told|ping|pinged|thank|thanks|thanks to|cc|met|call|called|email|emailed|remind|message)\s$/i
const NEXT = / ([a-z]{2,12})(?![\p{L}\d_(=.:/-])/uy

/** A given name alone at `start`–`end`: "ask Milena about it", "Oskar pushed a fix". */
export function givenAt(text: string, start: number, end: number, report: Report): void {
  const second = text.charCodeAt(start + 1)
  if (isJoinedToPrevious(text, start) || (second >= 65 && second <= 90)) return
  const name = text.slice(start, end)
  if (givenNameRank(name) !== 2 || STOCK.has(name) || COUNTRIES.has(name.toLowerCase()) || text.startsWith('import ', start - 7)) return
  const next = text.charCodeAt(end)
  let confidence = 0
  const lead = text.slice(Math.max(0, start - 12), start)
  const hasLeadWord = LEAD_WORDS.test(lead)
  if (next === 32) {
    const verb = matchAt(NEXT, text, end)?.[1]
    if (verb !== undefined && PERSON_VERBS.has(verb)) confidence = WEAK_VERBS.has(verb) ? (hasLeadWord ? 0.6 : 0.5) : 0.65
    if (hasLeadWord && STRONG.test(lead)) confidence = Math.max(confidence, 0.6)
  } else if (
    hasLeadWord &&
    (next === 44 || next === 46 || next === 63 || next === 33 || next === 41 || next === 10 || next !== next || next === 39)
  )
    confidence = STRONG.test(lead) ? 0.65 : 0.5
  if (confidence > 0) report('person', 'given name', start, end, confidence)
}

/** Names in protocol descriptions and examples. */
const STOCK = new Set(['Alice', 'Bob', 'Carol', 'Eve', 'Mallory', 'Trent', 'Dave', 'Jane', 'John'])

const HL7 = /(\p{Lu}[\p{L}\p{M}'’-]*)\^(\p{Lu}[\p{L}\p{M}'’-]*)(?:\^(\p{Lu}[\p{L}\p{M}.'’-]*)?)?/uy
const TICKET = /(\p{Lu}{2,})\/(\p{Lu}{2,}(?: \p{Lu}{2,})??)(?= (?:MR|MRS|MS|MISS|MSTR|DR)\b|[\s,;"']|$)/uy
/** `Whitfield^Darlene^M` in HL7, `KOVÁCS/ESZTER` on tickets: the family name starts at `start`, the separator is at `end`. */
export function separatedNameAt(text: string, start: number, end: number, report: Report): void {
  if (/[\p{L}\p{N}_^/]/u.test(text[start - 1] ?? ' ')) return
  const form = text.charCodeAt(end) === 94 ? HL7 : TICKET
  const match = matchAt(form, text, start)
  if (match === null) return
  const given = givenNameRank(match[2]!.split(' ')[0]!)
  const family = familyNameRank(match[1]!)
  const isName =
    form === HL7
      ? given > 0 || family > 0
      : given === 2 && (family > 0 || / (?:MR|MRS|MS|MISS)$/.test(text.slice(start, start + match[0].length + 4)))
  if (isName) report('person', 'parted name', start, start + match[0].replace(/\^$/, '').length, 0.8)
}
