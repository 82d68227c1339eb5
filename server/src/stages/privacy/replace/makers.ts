import type { PiiType } from '#contracts/entities/privacy.ts'
import { phoneDigits } from './canonical.ts'
import { draw as drawOf, type Draw } from './keyed.ts'
import { inventedIban, withLuhnDigit, fillForm, randomizeForm } from './numbers.ts'
import { fold, isParticle, type People } from './people.ts'
import { phoneLike, isReservedPhone } from './phones.ts'
import { inventInitialLike, isMadeUp, PLAIN_WORD, plainWord } from './words.ts'

/** Makes values of one type, from ranges that contain no real values, so that they are recognisable. */
export interface Maker {
  /** A made-up value in the form of `value`, different for each `attempt` (from 0); null if a label must be used. */
  make(value: string, draw: Draw, attempt: number): string | null
  /** Whether `make` could have made this value, so that a second pass leaves it alone. */
  couldMake(value: string): boolean
  /** Equal for values that count as the same; default `canonical`. */
  canonicalOf?(value: string): string
}

const RUN = /\p{L}+/gu
const isLower = (word: string) => word === word.toLowerCase()
/** Street words, which are not replaced. */
const STREETS =
  /^(street|st|avenue|ave|road|rd|lane|ln|drive|dr|court|ct|place|pl|square|sq|boulevard|blvd|way|terrace|parkway|pkwy|highway|hwy|apt|suite|ste|unit|floor|box|po|rue|calle|via|viale|piazza|plaza|avenida|rua|str|straat|laan|ulica)$/i
const STREET_ENDS = /(straße|strasse|str|weg|gasse|platz|allee|ring|ufer|damm|straat|laan|gatan|vägen|vej|gade|veien)$/iu
/** From this attempt on, values get more digits or another range, because the usual range is exhausted. */
const LONGER_AFTER = 8

interface NameForm {
  /** Words that are not replaced. */
  isKept?: (word: string) => boolean
  /** Endings that are not replaced ("straße"). */
  ends?: RegExp
}

/** Names of people, places and machines, replaced word by word, so that "Ada" and "Ada Lovelace" stay consistent. */
function nameMaker(people: People, { isKept = () => false, ends }: NameForm = {}): Maker {
  const isLetter = (word: string) => /^(\p{Lu}|\p{Ll})$/u.test(word)
  const isKeptWord = (word: string, whole: string) => isKept(word) || isParticle(word, whole)
  const stemOf = (word: string) => (ends ? word.replace(ends, '') : word) || word
  return {
    make(value, draw, attempt) {
      const words = value.match(RUN) ?? []
      const name = value.replaceAll(RUN, (word) => {
        if (isKeptWord(word, value)) return word
        if (!isLetter(word)) return people.word(stemOf(word)) + word.slice(stemOf(word).length)
        if (isLower(word)) return word
        return (attempt === 0 ? people.initial(word, words) : null) ?? inventInitialLike(draw, word)
      })
      return name.replaceAll(/\d+/g, (number) => `${1 + draw.below(9)}${draw.digits(number.length - 1)}`)
    },
    couldMake(value) {
      const words = (value.match(RUN) ?? []).filter((word) => !isKeptWord(word, value) && !isLetter(word))
      return words.length > 0 && words.every((word) => isMadeUp(word) || isMadeUp(stemOf(word)))
    },
    canonicalOf: (value) => fold(value.trim().replaceAll(/[\s,]+/g, ' ')),
  }
}

const HOME = /((?:home|users|documents and settings)[\\/]+)([^\\/]+)/i
const LAST = /()([^\\/]+)(?=[\\/]*$)/

/** Replaces an account; in a path only the folder that is named after the account. */
function usernameMaker(people: People): Maker {
  const plain = nameMaker(people)
  const part = (value: string) => (/[\\/]/.test(value) ? (HOME.exec(value) ?? LAST.exec(value)) : null)
  return {
    make(value) {
      const match = part(value)
      if (!match) return people.account(value)
      const at = match.index + match[1]!.length
      return value.slice(0, at) + people.account(match[2]!) + value.slice(at + match[2]!.length)
    },
    couldMake: (value) => plain.couldMake(part(value)?.[2] ?? value),
    canonicalOf: fold,
  }
}

const EXAMPLE_DOMAIN = /(^|[@.])example\.(com|net|org)$/i

const ENDINGS = ['com', 'net', 'org']

/** The account becomes the same as in user names. A domain always becomes the same example domain, unless that address is taken. */
function emailMaker(key: Buffer, people: People): Maker {
  return {
    make(value, draw, attempt) {
      const at = value.lastIndexOf('@')
      const local = people.account(value.slice(0, at).toLowerCase())
      const ending = attempt === 0 ? drawOf(key, `domain\0${value.slice(at + 1).toLowerCase()}`) : draw
      return `${local}${attempt < LONGER_AFTER ? '' : draw.digits(4)}@example.${ending.of(ENDINGS)}`
    },
    couldMake: (value) => EXAMPLE_DOMAIN.test(value),
  }
}

function hostnameMaker(people: People): Maker {
  const plain = nameMaker(people)
  return {
    make(value, draw, attempt) {
      const [first = '', ...rest] = value.split('.')
      const name = plain.make(first, draw, attempt)
      return rest.length === 0 ? name : `${name}${attempt > 0 ? `-${draw.digits(4)}` : ''}.example.net`
    },
    couldMake: (value) => EXAMPLE_DOMAIN.test(value) || plain.couldMake(value),
  }
}

const ssn: Maker = {
  make: (value, draw) =>
    fillForm(value, `9${draw.digits(2)}${String(1 + draw.below(49)).padStart(2, '0')}${String(1 + draw.below(9999)).padStart(4, '0')}`),
  couldMake: (value) => /^9\d\d(?:0[1-9]|[1-4]\d)\d{4}$/.test(value.replaceAll(/\D/g, '')),
}

/** First digits of the test numbers of card networks, by the first digits of the value. */
const TEST_CARDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, '400000'],
  [/^(5|2)/, '555555'],
  [/^3[47]/, '378282'],
  [/^35/, '353011'],
  [/^3/, '305693'],
  [/^/, '601111'],
]

const creditCard: Maker = {
  make(value, draw) {
    const digits = value.replaceAll(/\D/g, '')
    const start = TEST_CARDS.find(([form]) => form.test(digits))![1]
    return fillForm(value, withLuhnDigit(start + draw.digits(Math.max(0, digits.length - start.length - 1))))
  },
  couldMake: (value) => TEST_CARDS.some(([, start]) => value.replaceAll(/\D/g, '').startsWith(start)),
}

const iban: Maker = {
  make: (value, draw) => inventedIban(value, draw),
  couldMake: (value) => /^[0X]{4}/.test(value.replaceAll(/\s/g, '').slice(4).toUpperCase()),
}

const phone: Maker = {
  make: (value, draw) => phoneLike(value, draw),
  couldMake: (value) => isReservedPhone(value) || isReservedPhone(phoneDigits(value)),
}

/** IPv4: documentation addresses (RFC 5737), then the benchmarking network (RFC 2544). IPv6: RFC 3849. */
const ipAddress: Maker = {
  make(value, draw, attempt) {
    if (!value.includes(':')) {
      const net = attempt < LONGER_AFTER ? draw.of(['192.0.2', '198.51.100', '203.0.113']) : `198.${18 + draw.below(2)}.${draw.below(256)}`
      return value.replace(/\d{1,3}(?:\.\d{1,3}){3}/, `${net}.${1 + draw.below(254)}`)
    }
    const group = () => (1 + draw.below(0xff_ff)).toString(16)
    return value.replace(/[\da-f:.]+/i, `2001:db8:${group()}:${group()}::${group()}`)
  },
  couldMake: (value) => /^(192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89]\.\d+)\.\d+|^2001:0?db8:/i.test(value),
}

/** Identity numbers without a checksum: they start with two zeros or X and end with a keyed checksum. */
function shapedMaker(key: Buffer): Maker {
  const sum = (body: string, form: string) => {
    const random = drawOf(key, `sum\0${body}`)
    return randomizeForm(form, random)
  }
  const split = (value: string) => {
    const signs = value.replaceAll(/[^\p{L}\p{N}]/gu, '')
    const at = signs.length - Math.min(4, Math.max(2, signs.length - 5))
    return { body: signs.slice(0, at).toUpperCase(), tail: signs.slice(at).toUpperCase() }
  }
  return {
    make(value, draw) {
      const { body, tail } = split(value)
      const prefix = body.slice(0, 2).replaceAll(/\d/g, '0').replaceAll(/\p{L}/gu, 'X')
      const front = prefix + randomizeForm(body.slice(2), draw)
      return fillForm(value, front + sum(front, tail))
    },
    couldMake(value) {
      const { body, tail } = split(value)
      return body.length >= 3 && /^[0X]{2}/.test(body) && sum(body, tail) === tail
    },
  }
}

const zipCode: Maker = {
  make(value, draw) {
    const digits = value.replaceAll(/\D/g, '')
    return /\p{L}/u.test(value)
      ? value.replace(/[\p{L}\p{N} -]+/u, (code) =>
          /^\p{L}/u.test(code) ? `Q${randomizeForm(code.slice(1), draw)}` : `0${randomizeForm(code.slice(1), draw)}`,
        )
      : fillForm(value, `000${draw.digits(Math.max(0, digits.length - 3))}`)
  },
  couldMake: (value) => /^(000|Q)/i.test(value) || /^0\d{3} ?[A-Z]{2}$/i.test(value),
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const MONTH = new RegExp(`\\b(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})\\b`, 'i')

/** A day in 1900–1919, when nobody alive was born, in the same format. Two-digit years have no such range. */
const date: Maker = {
  make(value, draw) {
    const year = `19${draw.below(20).toString().padStart(2, '0')}`
    if (/^\d{8}$/.test(value)) return `${year}${twoDigits(1 + draw.below(12))}${twoDigits(1 + draw.below(28))}`
    const written = MONTH.exec(value)?.[0]
    const month = draw.of(MONTHS)
    const withMonth = written ? value.replace(MONTH, written.length === 3 ? month.slice(0, 3) : month) : value
    return withMonth.replaceAll(/\d+/g, (number) => {
      if (number.length === 4) return year
      const max = written || Number(number) > 12 ? 28 : 12
      return String(1 + draw.below(number.length === 1 ? 9 : max)).padStart(number.length, '0')
    })
  },
  couldMake: (value) => /(^|\D)19[01]\d(\D|$)/.test(value) || /^19[01]\d{5}$/.test(value),
}
const twoDigits = (number: number) => String(number).padStart(2, '0')

const condition: Maker = {
  make: (_, draw) => `condition ${draw.digits(6)}`,
  couldMake: (value) => /^condition \d{6}$/.test(value),
}

const PROVIDER =
  /^(sk-ant-(?:api03-)?|sk-proj-|sk-|gh[pousr]_|github_pat_|hf_|nvapi-|AKIA|ASIA|xox[a-z]-|glpat-|npm_|AIza|[rsp]k_(?:live|test)_)/
const EXAMPLE = 'EXAMPLE'

/** Keeps a key's provider prefix and length. The value ends in EXAMPLE, like sample keys in vendors' documentation. */
const keyMaker: Maker = {
  make(value, draw) {
    const prefix = PROVIDER.exec(value)?.[0] ?? ''
    const rest = value.slice(prefix.length).replaceAll(/[^A-Za-z\d._-]/g, '')
    if (rest.length < EXAMPLE.length + 8) return `example${draw.digits(6)}`
    return prefix + randomizeForm(rest.slice(0, -EXAMPLE.length), draw) + EXAMPLE
  },
  couldMake: (value) => /EXAMPLE$|^example\d{6}$/.test(value),
}

const EXAMPLE_HOST = new RegExp(`^[a-z][\\w+.-]*://(?:${PLAIN_WORD}:example\\d{6}@)?${PLAIN_WORD}-\\d{4}\\.example\\.net/`, 'i')

const url: Maker = {
  make: (value, draw) =>
    `${/^[a-z][\w+.-]*(?=:\/\/)/i.exec(value)?.[0] ?? 'https'}://${plainWord(draw)}-${draw.digits(4)}.example.net/${plainWord(draw)}`,
  couldMake: (value) => EXAMPLE_HOST.test(value),
}

const connectionString: Maker = {
  make(value, draw) {
    const scheme = /^[a-z][\w+.-]*(?=:\/\/)/i.exec(value)?.[0]
    if (!scheme) return null
    return `${scheme}://${plainWord(draw)}:example${draw.digits(6)}@${plainWord(draw)}-${draw.digits(4)}.example.net/${plainWord(draw)}`
  },
  couldMake: (value) => EXAMPLE_HOST.test(value),
}

/** A made-up key would be invalid, so a label is used. */
const privateKey: Maker = { make: () => null, couldMake: () => false }

/** A maker for every type, under the key of a data set and with its people. */
export function createMakers(key: Buffer, people: People): Record<PiiType, Maker> {
  const name = nameMaker(people)
  const number = shapedMaker(key)
  return {
    person: name,
    city: name,
    country: name,
    address: nameMaker(people, { isKept: (word) => STREETS.test(word) || /^[A-Z]{2,3}$/.test(word), ends: STREET_ENDS }),
    username: usernameMaker(people),
    hostname: hostnameMaker(people),
    email: emailMaker(key, people),
    phone,
    ssn,
    credit_card: creditCard,
    iban,
    ip_address: ipAddress,
    passport: number,
    driver_license: number,
    bank_account: number,
    mrn: number,
    health_plan: number,
    zip_code: zipCode,
    date_of_birth: date,
    date,
    medical_condition: condition,
    password: keyMaker,
    api_key: keyMaker,
    auth_token: keyMaker,
    secret: keyMaker,
    url,
    connection_string: connectionString,
    private_key: privateKey,
  }
}
