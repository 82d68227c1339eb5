import fs from 'node:fs'

/** The words of a list, one per line in a file next to this module. */
const read = (file: URL): readonly string[] => fs.readFileSync(file, 'utf8').trimEnd().split('\n')

/** Large and well-known cities whose names are no personal names or other words; lower case. */
export const CITIES = read(new URL('./cities.txt', import.meta.url))
/** The most common given names, including some that are also common words; lower case. */
export const COMMON_GIVEN_NAMES = read(new URL('./common-given-names.txt', import.meta.url))
/** Capitalised words that are not names after a label; lower case. */
export const NOT_NAMES = read(new URL('./not-names.txt', import.meta.url))
/** Family names in Latin letters without accents, lower case, without common words and names with a known ending. From Faker (MIT) and our own. */
export const FAMILY_NAMES = read(new URL('./family-names.txt', import.meta.url))
/** Given names in Latin letters without accents, lower case, without common words. From Faker (MIT) and our own. */
export const GIVEN_NAMES = read(new URL('./given-names.txt', import.meta.url))
/** Words that are common in documentation, which are no names even with a capital; lower case. */
export const TECHNICAL_WORDS = read(new URL('./technical-words.txt', import.meta.url))
