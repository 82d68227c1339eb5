/** Numbers that a state gives its people, by their checksums; only asked beside a label. `plain`: letters and digits, upper case. */
export function nationalId(plain: string): boolean {
  return RULES.some((rule) => rule(plain)) && !/^(.)\1+$/.test(plain)
}

const figures = (text: string) => Array.from(text, Number)
const weighted = (text: string, weights: readonly number[]) => weights.reduce((sum, weight, index) => sum + weight * Number(text[index]), 0)

const RULES: readonly ((plain: string) => boolean)[] = [
  // United Kingdom: National Insurance number
  (plain) => /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(plain),
  // Brazil: CPF
  (plain) => {
    if (!/^\d{11}$/.test(plain)) return false
    const digit = (count: number) =>
      ((weighted(
        plain,
        Array.from({ length: count }, (_, index) => count + 1 - index),
      ) *
        10) %
        11) %
      10
    return digit(9) === Number(plain[9]) && digit(10) === Number(plain[10])
  },
  // Germany: tax identification (ISO 7064 mod 11, 10)
  (plain) => {
    if (!/^[1-9]\d{10}$/.test(plain)) return false
    let product = 10
    for (const digit of figures(plain.slice(0, 10))) {
      const sum = (digit + product) % 10 || 10
      product = (sum * 2) % 11
    }
    return (11 - product) % 10 === Number(plain[10])
  },
  // Germany: pension insurance
  (plain) => {
    const match = /^(\d{8})([A-Z])(\d{2})(\d)$/.exec(plain)
    if (match === null) return false
    const text = `${match[1]}${String(match[2]!.charCodeAt(0) - 64).padStart(2, '0')}${match[3]}`
    const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].reduce((total, weight, index) => {
      const product = weight * Number(text[index])
      return total + Math.floor(product / 10) + (product % 10)
    }, 0)
    return sum % 10 === Number(match[4])
  },
  // Netherlands: BSN
  (plain) => /^\d{9}$/.test(plain) && (weighted(plain, [9, 8, 7, 6, 5, 4, 3, 2]) - Number(plain[8])) % 11 === 0,
  // Spain: DNI and NIE
  (plain) => {
    const match = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(plain)
    if (match === null || (match[1] === '') !== (match[2]!.length === 8)) return false
    const number = Number(`${match[1] === '' ? '' : 'XYZ'.indexOf(match[1]!)}${match[2]}`)
    return 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] === match[3]
  },
  // France: NIR
  (plain) =>
    /^[12]\d{2}(?:0[1-9]|1[0-2]|[2-9]\d)(?:\d{2}|2[AB])\d{6}\d{2}$/.test(plain) &&
    97 - Number(BigInt(plain.slice(0, 13).replace('2A', '19').replace('2B', '18')) % 97n) === Number(plain.slice(13)),
  // Italy: codice fiscale
  (plain) => /^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/.test(plain),
  // Portugal: NIF
  (plain) => /^[1235689]\d{8}$/.test(plain) && ((11 - (weighted(plain, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === Number(plain[8]),
  // Poland: PESEL
  (plain) => /^\d{11}$/.test(plain) && (10 - (weighted(plain, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(plain[10]),
]
