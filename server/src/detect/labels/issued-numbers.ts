import { isNumberKind, type Kind } from './labels.ts'
import { matchAt } from '../match-at.ts'

/** Numbers of passports, licences, records, plans and accounts, which are recognised by their label alone. */

/** Whether the label of this kind may be followed by "no.", "#", "(" and the like. */
export const isIssuedNumber = (kind: Kind) => isNumberKind(kind) || kind === 'birth'

const NUMBER_WORD = String.raw`(?:n\.[°º]|no|nr|num(?:ber|mer|ero)?|n[úu]mero|num[ée]ro|n(?=[\s.°º:#=(-])|id|card)`
const JOINT = new RegExp(
  String.raw`(?:[ _-]{1,2}${NUMBER_WORD}(?![A-Za-z]))?[ \t]?[.°º]?[ \t]*(?:[:#=(]|is|[-–](?=[ ]))?[ \t]*[:#]?[ \t]*(?=[A-Z0-9+])`,
  'iy',
)

/** Start of the number after the label that ends at `end`: "passport no. C01X…", "DL# …", "her passport (K77…)". */
export function issuedNumberAfter(text: string, end: number): number | null {
  // cheap check first: a capital or a digit after spaces and punctuation, or the first letter of a word for "number"
  let at = end
  let code = text.charCodeAt(at)
  while (code === 32 || code === 46 || code === 35 || code === 40 || code === 45 || code === 95 || code === 58)
    code = text.charCodeAt((at += 1))
  if (
    at === end ||
    !(
      (code >= 48 && code <= 57) ||
      (code >= 65 && code <= 90) ||
      code === 43 ||
      code >= 0xb0 ||
      code === 110 ||
      code === 105 ||
      code === 99 ||
      code === 61
    )
  )
    return null
  const match = matchAt(JOINT, text, end)
  if (match === null || match[0] === '') return null
  const first = text.charCodeAt(end + match[0].length)
  return (first >= 48 && first <= 57) || (first >= 65 && first <= 90) || first === 43 ? end + match[0].length : null
}

const CODE = /[A-Z0-9]{1,20}(?:-[A-Z0-9]{1,14}|[ ](?=[A-Z]{0,3}\d)[A-Z0-9]{1,11}){0,6}(?![\p{L}\p{N}_])/iuy
const LEAD = new RegExp(String.raw`[\s:#(]*(?:${NUMBER_WORD}(?![A-Za-z])[.°º:#]*\s*)?[\s:#(]*`, 'iy')

/** The number at the start of a value, with at least these digits and at most this length. */
export function codeIn(text: string, least: { digits: number; signs: number; most: number }): { start: number; end: number } | null {
  const start = matchAt(LEAD, text, 0)![0].length
  const code = matchAt(CODE, text, start)?.[0]
  if (code === undefined) return null
  const plain = code.replaceAll(/[ -]/g, '')
  const figures = plain.replaceAll(/\D/g, '').length
  if (plain.length < least.signs || plain.length > least.most || figures < least.digits || isFiller(plain)) return null
  // a date, a year, a word with a number after it
  if (/^\d{4}-\d\d-\d\d|^(?:19|20)\d\d$/.test(code) || (/^[a-z]{4,}/.test(code) && !/\d.*\d.*\d.*\d/.test(code))) return null
  return { start, end: start + code.length }
}

/** `0000000`, `12345678`, `XXXX1234`. */
const isFiller = (plain: string) => new Set(plain).size < 3 || /^(?:0?1234567890?|X{3,})/i.test(plain)

/** ABA routing numbers: nine digits, weights 3, 7, 1. */
export const isRouting = (plain: string) =>
  /^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(plain) &&
  Array.from(plain, Number).reduce((sum, digit, index) => sum + digit * [3, 7, 1][index % 3]!, 0) % 10 === 0
