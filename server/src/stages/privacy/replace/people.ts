import { draw } from './keyed.ts'
import { withCaseOf, inventInitialLike, inventWordLike } from './words.ts'

/** A name in a record, with the account of the mail address right after it ("John Smith <jsmith@…>"). */
export interface PersonMention {
  name: string
  account: string | null
}

/**
 * The made-up people of one data set. Every word of a name is replaced by the same made-up word in names, mail addresses,
 * user names and home folders, and no two words share one. So Ada Lovelace, ada.lovelace@corp.io and /home/ada stay
 * consistent, and different people stay different. Accounts built from parts of a name (`alovelace`) also depend on the
 * names in the record.
 */
export interface People {
  /** Sets the names of the next record; must be called before anything in it is replaced. */
  setRecord(mentions: readonly PersonMention[]): void
  /** The made-up word for a word of a name, with the same capitals. */
  word(word: string): string
  /** The made-up initial of the person with these other names; null unless exactly one person matches. */
  initial(letter: string, others: readonly string[]): string | null
  /** The made-up account for a user name, a home folder or the first part of a mail address. */
  account(text: string): string
}

const RUN = /\p{L}+/gu
/** Minimum length of a name part that identifies the owner of an account. */
const MIN_NAME_PART = 3
const LONGEST_ACCOUNT = 40
const MAX_WORDS = 6
/** After this many attempts a word gets one more part: some scripts have few words. */
const LONGER_AFTER = 8

/** Lower case without accents. */
export const fold = (text: string): string =>
  /\p{Script=Latin}/u.test(text)
    ? text
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[łøđß]/g, (letter) => ({ ł: 'l', ø: 'o', đ: 'd', ß: 'ss' })[letter]!)
    : text.toLowerCase()

/** Whether a word is a particle, such as "van" in "Anna van der Berg". */
export const isParticle = (word: string, whole: string): boolean =>
  word.length <= 3 && word === word.toLowerCase() && whole !== whole.toLowerCase()

interface Person {
  /** The normalised words, and the made-up word of each. */
  words: { plain: string; made: () => string }[]
}

export function createPeople(key: Buffer): People {
  const words = new Map<string, string>()
  const usedWords = new Set<string>()
  const accounts = new Map<string, string>()
  const usedAccounts = new Set<string>()
  const initials = new Map<string, string | null>()
  /** People of the record by each word of their names. */
  let peopleByWord = new Map<string, Set<Person>>()
  /** The owner of an account, as its mail address shows; null if there are several. */
  let ownerByAccount = new Map<string, Person | null>()

  const word = (text: string): string => {
    const plain = fold(text)
    let invented = words.get(plain)
    if (invented === undefined) {
      for (let attempt = 0; invented === undefined || usedWords.has(invented); attempt += 1) {
        const random = draw(key, `word\0${plain}\0${attempt}`)
        invented = Array.from({ length: 1 + Math.floor(attempt / LONGER_AFTER) }, () => inventWordLike(random, text)).join('-')
      }
      words.set(plain, invented)
      usedWords.add(invented)
    }
    return withCaseOf(invented, text)
  }

  const personOf = (name: string): Person => ({
    words: (name.match(RUN) ?? []).slice(0, MAX_WORDS).map((text) => {
      const plain = fold(text)
      return { plain, made: () => (isParticle(text, name) ? plain : fold(word(plain))) }
    }),
  })

  /** People of the record with a word that the text contains. */
  const peopleNamedIn = (text: string): Set<Person> => {
    const people = new Set<Person>()
    for (let from = 0; from < text.length; from += 1)
      for (let to = from + MIN_NAME_PART; to <= text.length; to += 1)
        for (const person of peopleByWord.get(text.slice(from, to)) ?? []) people.add(person)
    return people
  }

  /** The account for one built from parts of a name: `alovelace`, `adal`, `avanderberg`. Null unless exactly one person fits. */
  const accountFromParts = (run: string): string | null => {
    if (peopleByWord.size === 0 || peopleByWord.has(run) || run.length > LONGEST_ACCOUNT) return null
    const matches = [...peopleNamedIn(run)].flatMap((person) => {
      const account = replaceParts(run, person.words)
      return account === null ? [] : [{ person, account }]
    })
    return (matches.length === 1 ? matches[0] : matches.find(({ person }) => person === ownerByAccount.get(run)))?.account ?? null
  }

  const initial = (letter: string, otherNames: readonly string[]): string | null => {
    const plain = fold(letter)
    const otherWords = otherNames.map(fold).filter((other) => other.length > 1)
    const cacheKey = `${plain}\0${otherWords.join(' ')}`
    let initialLetter = initials.get(cacheKey)
    if (initialLetter === undefined) {
      const matches = [...(peopleByWord.get(otherWords[0] ?? '') ?? [])].flatMap((person) => {
        const match = person.words.find((word) => word.plain.startsWith(plain) && !otherWords.includes(word.plain))
        return match && otherWords.every((other) => person.words.some((one) => one.plain === other)) ? [match.made()[0]!] : []
      })
      initialLetter = matches.length === 1 ? matches[0]! : null
      initials.set(cacheKey, initialLetter)
    }
    return initialLetter === null ? null : withCaseOf(initialLetter, letter)
  }

  const makeAccount = (plain: string, attempt: number): string => {
    const random = draw(key, `account\0${plain}\0${attempt}`)
    const runs = plain.match(RUN) ?? []
    const account = plain
      .replaceAll(RUN, (run) =>
        run.length === 1 ? (initial(run, runs) ?? inventInitialLike(random, run)) : (accountFromParts(run) ?? fold(word(run))),
      )
      .replaceAll(/\d+/g, (number) => `${1 + random.below(9)}${random.digits(number.length - 1)}`)
    return attempt === 0 || /\d/.test(account) ? account : `${account}${1 + random.below(99)}`
  }

  return {
    word,
    initial,
    account(text) {
      const plain = fold(text)
      let account = accounts.get(plain)
      if (account === undefined) {
        for (let attempt = 0; account === undefined || usedAccounts.has(account); attempt += 1)
          account = makeAccount(plain, attempt) + (attempt < LONGER_AFTER ? '' : attempt)
        accounts.set(plain, account)
        usedAccounts.add(account)
      }
      return withCaseOf(account, text)
    },
    setRecord(mentions) {
      peopleByWord = new Map()
      ownerByAccount = new Map()
      const byName = new Map<string, Person>()
      for (const { name, account } of mentions) {
        const person = personOf(name)
        if (person.words.filter(({ plain }) => plain.length > 1).length < 2) continue
        const nameKey = person.words
          .map(({ plain }) => plain)
          .toSorted()
          .join(' ')
        const samePerson = byName.get(nameKey) ?? person
        byName.set(nameKey, samePerson)
        for (const { plain } of samePerson.words) peopleByWord.set(plain, (peopleByWord.get(plain) ?? new Set()).add(samePerson))
        for (const run of account === null ? [] : (fold(account).match(RUN) ?? []))
          ownerByAccount.set(
            run,
            (ownerByAccount.get(run) ?? samePerson) === samePerson && ownerByAccount.get(run) !== null ? samePerson : null,
          )
      }
    },
  }
}

/** The text with the words and initials of a name replaced; null if it contains anything else. */
function replaceParts(text: string, words: Person['words']): string | null {
  const replaceFrom = (at: number, remainingWords: Person['words'], hasNamePart: boolean): string | null => {
    if (at === text.length) return hasNamePart ? '' : null
    for (const takes of ['whole', 'initial'] as const) {
      for (const word of remainingWords) {
        const part = takes === 'whole' ? word.plain : word.plain.slice(0, 1)
        if (!text.startsWith(part, at)) continue
        const otherWords = remainingWords.filter((other) => other !== word)
        const tail = replaceFrom(at + part.length, otherWords, hasNamePart || (takes === 'whole' && part.length >= MIN_NAME_PART))
        if (tail !== null) return (takes === 'whole' ? word.made() : word.made().slice(0, 1)) + tail
      }
    }
    return null
  }
  return replaceFrom(0, words, false)
}
