import { draw } from './keyed.ts'
import { cased, initialLike, inventedLike } from './words.ts'

/** A name in a record, and the account of a mail address right after it ("John Smith <jsmith@…>"). */
export interface Met {
  name: string
  account: string | null
}

/**
 * The made-up people of one data set. Every word of a name has one made-up word in names, mail addresses,
 * user names and home folders, and no two words share one: Ada Lovelace, ada.lovelace@corp.io and /home/ada stay consistent
 * without being linked explicitly, and different people never become the same. Only accounts made of parts of a name
 * (`alovelace`) depend on which names are known.
 */
export interface People {
  /** The names of a record, before anything of it is replaced. */
  meet(met: readonly Met[]): void
  /** The made-up word for a word of a name, with its capitals. */
  word(word: string): string
  /** The made-up initial of a person whose other names are `others`; null if nobody matches. */
  initial(letter: string, others: readonly string[]): string | null
  /** The made-up account for a user name, a home folder or the first part of a mail address. */
  account(text: string): string
}

const RUN = /\p{L}+/gu
/** Minimum length of a word that identifies an account's owner. */
const TELLING = 3
const LONGEST_ACCOUNT = 40
const MAX_WORDS = 6
/** After this many attempts a word gets one more part: some scripts have few words. */
const LONGER_AFTER = 8

/** The same for a word with and without accents and capitals. */
export const fold = (text: string): string =>
  /\p{Script=Latin}/u.test(text)
    ? text
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[łøđß]/g, (letter) => ({ ł: 'l', ø: 'o', đ: 'd', ß: 'ss' })[letter]!)
    : text.toLowerCase()

/** "van" in "Anna van der Berg". */
export const isParticle = (word: string, whole: string): boolean =>
  word.length <= 3 && word === word.toLowerCase() && whole !== whole.toLowerCase()

interface Person {
  /** The normalised words, and the made-up word of each. */
  words: { plain: string; made: () => string }[]
}

export function createPeople(key: Buffer): People {
  const words = new Map<string, string>()
  const wordsTaken = new Set<string>()
  const accounts = new Map<string, string>()
  const accountsTaken = new Set<string>()
  const initials = new Map<string, string | null>()
  /** People of the record, by the words of their names. */
  let here = new Map<string, Set<Person>>()
  /** The owner of an account by its mail address; null if there are several. */
  let linked = new Map<string, Person | null>()

  const word = (text: string): string => {
    const plain = fold(text)
    let made = words.get(plain)
    if (made === undefined) {
      for (let attempt = 0; made === undefined || wordsTaken.has(made); attempt += 1) {
        const own = draw(key, `word\0${plain}\0${attempt}`)
        made = Array.from({ length: 1 + Math.floor(attempt / LONGER_AFTER) }, () => inventedLike(own, text)).join('-')
      }
      words.set(plain, made)
      wordsTaken.add(made)
    }
    return cased(made, text)
  }

  const personOf = (name: string): Person => ({
    words: (name.match(RUN) ?? []).slice(0, MAX_WORDS).map((text) => {
      const plain = fold(text)
      return { plain, made: () => (isParticle(text, name) ? plain : fold(word(plain))) }
    }),
  })

  /** People of the record with a word that the text contains. */
  const namedIn = (text: string): Set<Person> => {
    const found = new Set<Person>()
    for (let from = 0; from < text.length; from += 1)
      for (let to = from + TELLING; to <= text.length; to += 1) for (const person of here.get(text.slice(from, to)) ?? []) found.add(person)
    return found
  }

  /** An account of parts of a name: `alovelace`, `adal`, `adalovelace`, `avanderberg`. Null unless it fits one person only. */
  const ofParts = (run: string): string | null => {
    if (here.size === 0 || here.has(run) || run.length > LONGEST_ACCOUNT) return null
    const fitting = [...namedIn(run)].flatMap((person) => {
      const made = composed(run, person.words)
      return made === null ? [] : [{ person, made }]
    })
    return (fitting.length === 1 ? fitting[0] : fitting.find(({ person }) => person === linked.get(run)))?.made ?? null
  }

  const initial = (letter: string, others: readonly string[]): string | null => {
    const plain = fold(letter)
    const rest = others.map(fold).filter((other) => other.length > 1)
    const asked = `${plain}\0${rest.join(' ')}`
    let made = initials.get(asked)
    if (made === undefined) {
      const fitting = [...(here.get(rest[0] ?? '') ?? [])].flatMap((person) => {
        const own = person.words.find((one) => one.plain.startsWith(plain) && !rest.includes(one.plain))
        return own && rest.every((other) => person.words.some((one) => one.plain === other)) ? [own.made()[0]!] : []
      })
      made = fitting.length === 1 ? fitting[0]! : null
      initials.set(asked, made)
    }
    return made === null ? null : cased(made, letter)
  }

  const makeAccount = (plain: string, attempt: number): string => {
    const own = draw(key, `account\0${plain}\0${attempt}`)
    const runs = plain.match(RUN) ?? []
    const made = plain
      .replaceAll(RUN, (run) => (run.length === 1 ? (initial(run, runs) ?? initialLike(own, run)) : (ofParts(run) ?? fold(word(run)))))
      .replaceAll(/\d+/g, (number) => `${1 + own.below(9)}${own.digits(number.length - 1)}`)
    return attempt === 0 || /\d/.test(made) ? made : `${made}${1 + own.below(99)}`
  }

  return {
    word,
    initial,
    account(text) {
      const plain = fold(text)
      let made = accounts.get(plain)
      if (made === undefined) {
        for (let attempt = 0; made === undefined || accountsTaken.has(made); attempt += 1)
          made = makeAccount(plain, attempt) + (attempt < LONGER_AFTER ? '' : attempt)
        accounts.set(plain, made)
        accountsTaken.add(made)
      }
      return cased(made, text)
    },
    meet(met) {
      here = new Map()
      linked = new Map()
      const known = new Map<string, Person>()
      for (const { name, account } of met) {
        const person = personOf(name)
        if (person.words.filter(({ plain }) => plain.length > 1).length < 2) continue
        const asWhole = person.words
          .map(({ plain }) => plain)
          .toSorted()
          .join(' ')
        const same = known.get(asWhole) ?? person
        known.set(asWhole, same)
        for (const { plain } of same.words) here.set(plain, (here.get(plain) ?? new Set()).add(same))
        for (const run of account === null ? [] : (fold(account).match(RUN) ?? []))
          linked.set(run, (linked.get(run) ?? same) === same && linked.get(run) !== null ? same : null)
      }
    },
  }
}

/** The text with the words and initials of a name replaced; null if it is not made of them. */
function composed(text: string, words: Person['words']): string | null {
  const from = (at: number, left: Person['words'], isTelling: boolean): string | null => {
    if (at === text.length) return isTelling ? '' : null
    for (const takes of ['whole', 'initial'] as const) {
      for (const word of left) {
        const part = takes === 'whole' ? word.plain : word.plain.slice(0, 1)
        if (!text.startsWith(part, at)) continue
        const others = left.filter((other) => other !== word)
        const rest = from(at + part.length, others, isTelling || (takes === 'whole' && part.length >= TELLING))
        if (rest !== null) return (takes === 'whole' ? word.made() : word.made().slice(0, 1)) + rest
      }
    }
    return null
  }
  return from(0, words, false)
}
