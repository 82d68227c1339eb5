import { lookup } from '#contracts/lookup.ts'
import { COMMON_GIVEN_NAMES, FAMILY_NAMES, GIVEN_NAMES, NOT_NAMES as NOT_NAME_WORDS, TECHNICAL_WORDS } from '../word-lists/index.ts'

const words = (text: string) => new Set(text.trim().split(/\s+/))
const COMMON = new Set(COMMON_GIVEN_NAMES)
const NOT_NAMES = new Set(NOT_NAME_WORDS)
const LISTED = new Set(GIVEN_NAMES)
const FAMILIES = new Set(FAMILY_NAMES)
const PLAIN = new Set(TECHNICAL_WORDS)

/** Products, places and common words that are also given names: names only next to a family name. */
const SHARED = words(
  `adam africa alexa america angular apollo april ariel art asia astra astro athena atlas august aurora austin autumn baker bert boston brooklyn brown carol cassandra celeste chad charlotte chelsea chester china chip christian
  claude cloud crystal dakota dale dallas dawn dean denver diamond django dot drew earl eden elixir ember english eve faith flora florence frank french gemini gemma gene genesis georgia german gold grace grant gray green
  hazel heather helm henry hermes holly honey hope hugo hunter india iris israel ivy jack jackson jade jasmine jay jean jenkins jersey jordan joy juan julia june kafka king kotlin lance language laurel lily london lou lucky luna
  madison magic marina mark mars mason max maya may melody mercedes mercy merlin mila milan miles min monica montana nancy nick nova olive orion paris parker pascal pat patience patty paz pearl penny perl pearson phoenix pierre pilot
  pool price prince python qt queen ray red reed rich river robin rocky rod rose royal ruby rusty sage salesforce sam sandy savannah sequoia sky sol sonar sophia sora spencer star sterling stone storm summer sun sunday sunny swift sydney
  tea temple terra theo tim titan tom tony travis trinity troy tuesday tyson val vega venus verona victor victoria vienna viola virginia vue wade ward wednesday west will willow win winter wolf woods yarn young zion del van don ali al ben bill bob
  jake joe lan mai mei an chi ma min so su tan tin to vi yan ye yu bao hung dung long nam son thai tien tri tu hue hoa han han ding dong sang sun tam tong wan wen kim jin rob drew ned ted les rex bo ken ian`,
)

/** Endings of family names: Slavic, German, Nordic, Italian, Spanish, Turkish, Greek, Armenian, Georgian, Baltic, Finnish, Frisian, Indian. */
const FAMILY_ENDING =
  /(?:ovic|evic|vich|sky|skij|skyi|ski|ska|cki|cka|wicz|czyk|czak|iak|mann|berg|berger|stein|etti|elli|otti|oglu|enko|chuk|[^aeiou]ova|[^aeiou]eva|[^e]kov|nov|rov|lov|sen|sson|dottir|escu|poulos|idis|akis|akos|quist|qvist|strom|lund|gaard|stra|sma|inga|wala|murthy|swamy|raman|heimer|hofer|huber|bauer|maier|meyer|meier|mayer|baum|feld|ssen|shvili|adze|nen|ulis|aitis|auskas|ndez|guez|nchez|rrez|lvez|[aeiou]nian|osyan|danyan|worth|ington|thwaite|borough)$/

const FOLDED: Record<string, string> = lookup({ ø: 'o', đ: 'd', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ð: 'd', þ: 'th', ə: 'e' })
const MARKS = /[\u0300-\u036F'’.]/g
/** Lower case without accents, as in the lists. */
function fold(word: string): string {
  const lower = word.toLowerCase()
  return /^[a-z]*$/.test(lower)
    ? lower
    : lower
        .normalize('NFD')
        .replaceAll(MARKS, '')
        .replaceAll(/[øđłßæœıðþə]/g, (letter) => FOLDED[letter]!)
}

const PARTICLES = words(
  `de da do dos das del della di du la le van der den von zu zum ter ten te bin binti ibn al el y e et af av san santa st o' d' mac mc ó ní ni nic uí ui ap`,
)

/** Whether a word is a common word of code or English. */
export const isOrdinaryWord = (word: string) => PLAIN.has(word) || NOT_NAMES.has(word)
export const isParticle = (word: string) => PARTICLES.has(word.toLowerCase())
export const isGivenName = (word: string) => COMMON.has(word.toLowerCase()) || LISTED.has(fold(word))
export const isNeverName = (word: string) => NOT_NAMES.has(word.toLowerCase())

/** 2 if a word is only used as a given name, 1 if it may be one, 0 if it is unknown, -1 if it is an ordinary word. */
export function givenNameRank(word: string): number {
  const plain = fold(word)
  if (plain.includes('-')) return Math.max(...plain.split('-').map(givenNameRank))
  if (SHARED.has(plain)) return 1
  if (LISTED.has(plain)) return NOT_NAMES.has(plain) ? 1 : 2
  if (COMMON.has(plain) || COMMON.has(word.toLowerCase())) return PLAIN.has(plain) ? 1 : 2
  return PLAIN.has(plain) || NOT_NAMES.has(plain) ? -1 : 0
}

/** Like `givenNameRank`, for family names. */
export function familyNameRank(word: string): number {
  const plain = fold(word)
  if (plain.includes('-'))
    return Math.max(
      ...plain
        .split('-')
        .filter((part) => part.length > 2)
        .map(familyNameRank),
      0,
    )
  if (NOT_NAMES.has(plain) && !FAMILIES.has(plain)) return -1
  if (FAMILIES.has(plain)) return SHARED.has(plain) || NOT_NAMES.has(plain) ? 1 : 2
  if (PLAIN.has(plain)) return -1
  return plain.length > 4 && FAMILY_ENDING.test(plain) ? 2 : 0
}

const NAME_WORD =
  /^(?:\p{Lu}[\p{Ll}\p{M}’']+(?:['’-]\p{Lu}?\p{Ll}+)*|\p{Lu}['’]\p{Lu}\p{Ll}+|\p{Lu}[\p{L}]+|\p{Lu}\.?(?:-\p{Lu}\.)?|Mc\p{Lu}\p{Ll}+|\p{Lu}{2,}(?:['’-]\p{Lu}+)*)$/u
const TITLE =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame|herr|frau|mme|mlle|monsieur|madame|m|sr|sra|srta|don|doña|dott|dott\.ssa|sig|sig\.ra|signor|signora|dhr|mevr|mevrouw|meneer|dra|eng|rev|jr|phd|md)\.?$/i

/**
 * How likely a text of one to five words is a person's name; `sure` is 0 if it is none. Callers must also check the text
 * before it, such as a label or a greeting.
 */
export function nameLikeness(value: string): { words: number; given: boolean; sure: number } {
  const none = { words: 0, given: false, sure: 0 }
  if (value.length < 2 || value.length > 60 || /[\d_/\\@#<>{}[\]()=:;|+*&$%!?"`~^]/.test(value)) return none
  const parts = value
    .replace(/^(\S+), (\S.*)$/, '$2 $1')
    .split(/\s+/)
    .filter((word) => word !== '' && !TITLE.test(word))
  if (parts.length === 0 || parts.length > 5) return none
  let hasGivenName = false
  let capitalisedWords = 0
  for (const word of parts) {
    const lower = word.toLowerCase()
    if (PARTICLES.has(lower)) continue
    if (NOT_NAMES.has(lower) && !COMMON.has(lower)) return none
    if (!NAME_WORD.test(word)) return none
    capitalisedWords += 1
    if (word.length > 1 && lower.split('-').some(isGivenName)) hasGivenName = true
  }
  if (capitalisedWords === 0 || parts.every((word) => /^\p{Lu}\.?$/u.test(word))) return none
  if (parts.length > 1 && parts.every((word) => NOT_NAMES.has(word.toLowerCase()))) return none
  const shortPenalty = parts.some((word) => word.length > 3) ? 0 : 0.1
  return { words: parts.length, given: hasGivenName, sure: (hasGivenName ? 0.9 : parts.length > 1 ? 0.6 : 0.4) - shortPenalty }
}
