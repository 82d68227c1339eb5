import type { PiiType } from '#contracts/entities/privacy.ts'
import { phoneDigits } from './canonical.ts'
import { draw as drawOf, type Draw } from './keyed.ts'
import { ibanWith, luhnWith, render, shapeOf } from './numbers.ts'
import { fold, isParticle, type People } from './people.ts'
import { phoneLike, isReservedPhone } from './phones.ts'
import { initialLike, isMadeUp, PLAIN_WORD, plainWord } from './words.ts'

/** Makes values of one type. Its values are in ranges without real ones, so that they are recognisable by their form. */
export interface Maker {
  /** A made-up value in the form of `value`; null if the label is better. `attempt` counts from 0; each must give a different value. */
  make(value: string, draw: Draw, attempt: number): string | null
  /** Whether `make` could have made this value, so that a second pass leaves it alone. */
  isOwn(value: string): boolean
  /** The same text for values it treats as equal; default `canonical`. */
  sameAs?(value: string): string
}

const RUN = /\p{L}+/gu
const isLower = (word: string) => word === word.toLowerCase()
/** Street words, which are kept. */
const STREETS =
  /^(street|st|avenue|ave|road|rd|lane|ln|drive|dr|court|ct|place|pl|square|sq|boulevard|blvd|way|terrace|parkway|pkwy|highway|hwy|apt|suite|ste|unit|floor|box|po|rue|calle|via|viale|piazza|plaza|avenida|rua|str|straat|laan|ulica)$/i
const STREET_ENDS = /(straße|strasse|str|weg|gasse|platz|allee|ring|ufer|damm|straat|laan|gatan|vägen|vej|gade|veien)$/iu
/** From this attempt on a value gets more digits or another range, because the usual ones are exhausted. */
const LONGER_AFTER = 8

interface NameForm {
  /** Words that stay as they are. */
  isKept?: (word: string) => boolean
  /** Endings that stay ("straße"). */
  ends?: RegExp
}

/** Names of people, places, machines: word by word, so that "Ada" in "Ada Lovelace" becomes what "Ada" alone becomes. */
function names(people: People, { isKept = () => false, ends }: NameForm = {}): Maker {
  const isLetter = (word: string) => /^(\p{Lu}|\p{Ll})$/u.test(word)
  const kept = (word: string, whole: string) => isKept(word) || isParticle(word, whole)
  const stemOf = (word: string) => (ends ? word.replace(ends, '') : word) || word
  return {
    make(value, draw, attempt) {
      const all = value.match(RUN) ?? []
      const made = value.replaceAll(RUN, (word) => {
        if (kept(word, value)) return word
        if (!isLetter(word)) return people.word(stemOf(word)) + word.slice(stemOf(word).length)
        if (isLower(word)) return word
        return (attempt === 0 ? people.initial(word, all) : null) ?? initialLike(draw, word)
      })
      return made.replaceAll(/\d+/g, (number) => `${1 + draw.below(9)}${draw.digits(number.length - 1)}`)
    },
    isOwn(value) {
      const words = (value.match(RUN) ?? []).filter((word) => !kept(word, value) && !isLetter(word))
      return words.length > 0 && words.every((word) => isMadeUp(word) || isMadeUp(stemOf(word)))
    },
    sameAs: (value) => fold(value.trim().replaceAll(/[\s,]+/g, ' ')),
  }
}

const HOME = /((?:home|users|documents and settings)[\\/]+)([^\\/]+)/i
const LAST = /()([^\\/]+)(?=[\\/]*$)/

/** An account; in a path only the folder named after it. */
function usernames(people: People): Maker {
  const plain = names(people)
  const part = (value: string) => (/[\\/]/.test(value) ? (HOME.exec(value) ?? LAST.exec(value)) : null)
  return {
    make(value) {
      const found = part(value)
      if (!found) return people.account(value)
      const at = found.index + found[1]!.length
      return value.slice(0, at) + people.account(found[2]!) + value.slice(at + found[2]!.length)
    },
    isOwn: (value) => plain.isOwn(part(value)?.[2] ?? value),
    sameAs: fold,
  }
}

const OWN_DOMAIN = /(^|[@.])example\.(com|net|org)$/i

const ENDINGS = ['com', 'net', 'org']

/** The same account as for the user name; a domain always gets the same suffix, unless another domain has that account as well. */
function emails(key: Buffer, people: People): Maker {
  return {
    make(value, draw, attempt) {
      const at = value.lastIndexOf('@')
      const local = people.account(value.slice(0, at).toLowerCase())
      const ending = attempt === 0 ? drawOf(key, `domain\0${value.slice(at + 1).toLowerCase()}`) : draw
      return `${local}${attempt < LONGER_AFTER ? '' : draw.digits(4)}@example.${ending.of(ENDINGS)}`
    },
    isOwn: (value) => OWN_DOMAIN.test(value),
  }
}

function hostname(people: People): Maker {
  const plain = names(people)
  return {
    make(value, draw, attempt) {
      const [first = '', ...rest] = value.split('.')
      const made = plain.make(first, draw, attempt)
      return rest.length === 0 ? made : `${made}${attempt > 0 ? `-${draw.digits(4)}` : ''}.example.net`
    },
    isOwn: (value) => OWN_DOMAIN.test(value) || plain.isOwn(value),
  }
}

const ssn: Maker = {
  make: (value, draw) =>
    render(value, `9${draw.digits(2)}${String(1 + draw.below(49)).padStart(2, '0')}${String(1 + draw.below(9999)).padStart(4, '0')}`),
  isOwn: (value) => /^9\d\d(?:0[1-9]|[1-4]\d)\d{4}$/.test(value.replaceAll(/\D/g, '')),
}

/** First digits of the numbers that card networks publish for tests, by first digits of the value. */
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
    return render(value, luhnWith(start + draw.digits(Math.max(0, digits.length - start.length - 1))))
  },
  isOwn: (value) => TEST_CARDS.some(([, start]) => value.replaceAll(/\D/g, '').startsWith(start)),
}

const iban: Maker = {
  make: (value, draw) => ibanWith(value, draw),
  isOwn: (value) => /^[0X]{4}/.test(value.replaceAll(/\s/g, '').slice(4).toUpperCase()),
}

const phone: Maker = {
  make: (value, draw) => phoneLike(value, draw),
  isOwn: (value) => isReservedPhone(value) || isReservedPhone(phoneDigits(value)),
}

/** RFC 5737; after its 762 addresses, the network for measurements (RFC 2544). RFC 3849 for IPv6. */
const ipAddress: Maker = {
  make(value, draw, attempt) {
    if (!value.includes(':')) {
      const net = attempt < LONGER_AFTER ? draw.of(['192.0.2', '198.51.100', '203.0.113']) : `198.${18 + draw.below(2)}.${draw.below(256)}`
      return value.replace(/\d{1,3}(?:\.\d{1,3}){3}/, `${net}.${1 + draw.below(254)}`)
    }
    const group = () => (1 + draw.below(0xff_ff)).toString(16)
    return value.replace(/[\da-f:.]+/i, `2001:db8:${group()}:${group()}::${group()}`)
  },
  isOwn: (value) => /^(192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89]\.\d+)\.\d+|^2001:0?db8:/i.test(value),
}

/** Identity numbers without a checksum: two zeros or X in front, the last characters a keyed sum of the others. */
function shaped(key: Buffer): Maker {
  const sum = (body: string, form: string) => {
    const own = drawOf(key, `sum\0${body}`)
    return shapeOf(form, own)
  }
  const split = (value: string) => {
    const signs = value.replaceAll(/[^\p{L}\p{N}]/gu, '')
    const at = signs.length - Math.min(4, Math.max(2, signs.length - 5))
    return { body: signs.slice(0, at).toUpperCase(), tail: signs.slice(at).toUpperCase() }
  }
  return {
    make(value, draw) {
      const { body, tail } = split(value)
      const front = body.slice(0, 2).replaceAll(/\d/g, '0').replaceAll(/\p{L}/gu, 'X')
      const made = front + shapeOf(body.slice(2), draw)
      return render(value, made + sum(made, tail))
    },
    isOwn(value) {
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
          /^\p{L}/u.test(code) ? `Q${shapeOf(code.slice(1), draw)}` : `0${shapeOf(code.slice(1), draw)}`,
        )
      : render(value, `000${draw.digits(Math.max(0, digits.length - 3))}`)
  },
  isOwn: (value) => /^(000|Q)/i.test(value) || /^0\d{3} ?[A-Z]{2}$/i.test(value),
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const MONTH = new RegExp(`\\b(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})\\b`, 'i')

/** A day of 1900–1919 in the same form: nobody alive was born then. Two-digit years have no such range. */
const date: Maker = {
  make(value, draw) {
    const year = `19${draw.below(20).toString().padStart(2, '0')}`
    if (/^\d{8}$/.test(value)) return `${year}${two(1 + draw.below(12))}${two(1 + draw.below(28))}`
    const written = MONTH.exec(value)?.[0]
    const month = draw.of(MONTHS)
    const named = written ? value.replace(MONTH, written.length === 3 ? month.slice(0, 3) : month) : value
    return named.replaceAll(/\d+/g, (number) => {
      if (number.length === 4) return year
      const most = written || Number(number) > 12 ? 28 : 12
      return String(1 + draw.below(number.length === 1 ? 9 : most)).padStart(number.length, '0')
    })
  },
  isOwn: (value) => /(^|\D)19[01]\d(\D|$)/.test(value) || /^19[01]\d{5}$/.test(value),
}
const two = (number: number) => String(number).padStart(2, '0')

const condition: Maker = {
  make: (_, draw) => `condition ${draw.digits(6)}`,
  isOwn: (value) => /^condition \d{6}$/.test(value),
}

const PROVIDER =
  /^(sk-ant-(?:api03-)?|sk-proj-|sk-|gh[pousr]_|github_pat_|hf_|nvapi-|AKIA|ASIA|xox[a-z]-|glpat-|npm_|AIza|[rsp]k_(?:live|test)_)/
const EXAMPLE = 'EXAMPLE'

/** Keeps a key's provider prefix and length; it ends like the sample keys in vendors' documents. */
const opening: Maker = {
  make(value, draw) {
    const prefix = PROVIDER.exec(value)?.[0] ?? ''
    const rest = value.slice(prefix.length).replaceAll(/[^A-Za-z\d._-]/g, '')
    if (rest.length < EXAMPLE.length + 8) return `example${draw.digits(6)}`
    return prefix + shapeOf(rest.slice(0, -EXAMPLE.length), draw) + EXAMPLE
  },
  isOwn: (value) => /EXAMPLE$|^example\d{6}$/.test(value),
}

const OWN_HOST = new RegExp(`^[a-z][\\w+.-]*://(?:${PLAIN_WORD}:example\\d{6}@)?${PLAIN_WORD}-\\d{4}\\.example\\.net/`, 'i')

const url: Maker = {
  make: (value, draw) =>
    `${/^[a-z][\w+.-]*(?=:\/\/)/i.exec(value)?.[0] ?? 'https'}://${plainWord(draw)}-${draw.digits(4)}.example.net/${plainWord(draw)}`,
  isOwn: (value) => OWN_HOST.test(value),
}

const connectionString: Maker = {
  make(value, draw) {
    const scheme = /^[a-z][\w+.-]*(?=:\/\/)/i.exec(value)?.[0]
    if (!scheme) return null
    return `${scheme}://${plainWord(draw)}:example${draw.digits(6)}@${plainWord(draw)}-${draw.digits(4)}.example.net/${plainWord(draw)}`
  },
  isOwn: (value) => OWN_HOST.test(value),
}

/** A made-up key would be invalid, so the label is used. */
const privateKey: Maker = { make: () => null, isOwn: () => false }

/** A maker for every type, under the key of a data set and with its people. */
export function createMakers(key: Buffer, people: People): Record<PiiType, Maker> {
  const name = names(people)
  const number = shaped(key)
  return {
    person: name,
    city: name,
    country: name,
    address: names(people, { isKept: (word) => STREETS.test(word) || /^[A-Z]{2,3}$/.test(word), ends: STREET_ENDS }),
    username: usernames(people),
    hostname: hostname(people),
    email: emails(key, people),
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
    password: opening,
    api_key: opening,
    auth_token: opening,
    secret: opening,
    url,
    connection_string: connectionString,
    private_key: privateKey,
  }
}
