import { cityAt, placeOfStreet } from './places/address-by-city.ts'
import { RULES_BY_WORD } from './rules-by-word.ts'
import { isWordCode } from './character-classes.ts'
import { givenAt, mentionAt, separatedNameAt } from './people/names-in-sentences.ts'
import { cityBeforeCountry, officeAt, placeAt } from './places/cities.ts'
import type { Report } from './types.ts'

/** Looks for names and places that start at a capitalised word; the characters around it decide which. */
export function capitalisedWordAt(text: string, start: number, end: number, report: Report): void {
  const code = text.charCodeAt(start)
  if (!(code >= 65 && code <= 90) && !(code >= 0xc0 && text[start] !== text[start]!.toLowerCase())) return
  const next = text.charCodeAt(end)
  if (text.charCodeAt(start - 1) === 32) {
    const last = text.charCodeAt(start - 2)
    if (last > 96) placeAt(text, start, report)
    else if (last >= 48 && last <= 57) cityAt(text, start, report)
    else if (last === 44) placeOfStreet(text, start, report)
  }
  if (next === 32 || next === 45 || next === 39 || next === 0x2019) {
    const after = text.charCodeAt(end + 1)
    if ((after >= 65 && after <= 90) || (after >= 0xc0 && after <= 0x24f) || next !== 32) return mentionAt(text, start, report)
    if (after >= 97 && after <= 122) {
      if (after === 100 || after === 118 || after === 97 || after === 98 || after === 101) mentionAt(text, start, report)
      givenAt(text, start, end, report)
      officeAt(text, start, end, report)
    }
  } else if (next === 94 || next === 47) separatedNameAt(text, start, end, report)
  else if (next === 44 || next === 46 || next === 63 || next === 33 || next === 41 || next === 10 || next !== next)
    givenAt(text, start, end, report)
  if (next === 44) cityBeforeCountry(text, start, end, report)
}

/** Applies the rules of a word. */
export function applyWordRules(text: string, start: number, end: number, hash: number, report: Report): void {
  // a letter of a hash is not a word
  if (end - start === 1 && (isWordCode(text.charCodeAt(end)) || isWordCode(text.charCodeAt(start - 1)))) return
  const rules = RULES_BY_WORD.find(text, start, end, hash)
  if (rules === undefined) return
  const next = text.charCodeAt(end)
  for (const rule of rules.anywhere) rule(text, start, end, next, report)
  if (rules.alone.length === 0 || isWordCode(text.charCodeAt(start - 1))) return
  for (const rule of rules.alone) rule(text, start, end, next, report)
}
