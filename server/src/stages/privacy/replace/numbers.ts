import type { Draw } from './keyed.ts'

/** Replaces the letters and digits of `form` by `characters`, and keeps its spaces, dashes and brackets. Further characters are appended. */
export function fillForm(form: string, characters: string): string {
  let at = 0
  const filled = form.replaceAll(/[\p{L}\p{N}]/gu, () => characters[at++] ?? '')
  return filled + characters.slice(at)
}

/** Replaces each digit by a digit and each letter by a letter of the same case. */
export const randomizeForm = (form: string, draw: Draw): string =>
  form.replaceAll(/[\p{L}\p{N}]/gu, (character) => {
    if (/\p{N}/u.test(character)) return String(draw.below(10))
    const letter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[draw.below(26)]!
    return character === character.toUpperCase() ? letter : letter.toLowerCase()
  })

/** Appends the Luhn check digit. */
export function withLuhnDigit(digits: string): string {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** An IBAN of the same country and length whose bank does not exist (0000 or XXXX), with its mod-97 check digits. */
export function inventedIban(value: string, draw: Draw): string {
  const characters = value.replaceAll(/[^A-Za-z\d]/g, '').toUpperCase()
  const country = characters.slice(0, 2)
  const account = characters.slice(4)
  const bank = account.slice(0, 4).replaceAll(/\d/g, '0').replaceAll(/[A-Z]/g, 'X')
  const body = bank + randomizeForm(account.slice(4), draw)
  return fillForm(value, `${country}${String(98 - mod97(`${body}${country}00`)).padStart(2, '0')}${body}`)
}

/** ISO 7064, with letters as 10–35. */
function mod97(text: string): number {
  let remainder = 0
  for (const character of text) {
    const number = Number.parseInt(character, 36)
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97
  }
  return remainder
}
