import fs from 'node:fs'

/** The words of a list, one per line in a file next to this module. */
const read = (file: URL): readonly string[] => fs.readFileSync(file, 'utf8').trimEnd().split('\n')

/** Large and well-known cities that are not a person's name or another word, lower case. */
export const CITIES = read(new URL('./cities.txt', import.meta.url))
/** Given names that are common where our users live, some of them common words too; lower case. */
export const COMMON_GIVEN_NAMES = read(new URL('./common-given-names.txt', import.meta.url))
/** Capitalised words that are not names after a label; lower case. */
export const NOT_NAMES = read(new URL('./not-names.txt', import.meta.url))
/** Family names in Latin letters without accents, lower case; without common words and those recognised by their ending. From Faker (MIT) and our own. */
export const FAMILY_NAMES = read(new URL('./family-names.txt', import.meta.url))
/** Given names in Latin letters without accents, lower case; without those that are common words. Of Faker (MIT) and our own. */
export const GIVEN_NAMES = read(new URL('./given-names.txt', import.meta.url))
/** Words that are common in technical texts, counted in documentation, lower case: a capital makes none of them a name. */
export const TECHNICAL_WORDS = read(new URL('./technical-words.txt', import.meta.url))
