import { lookup } from '#contracts/lookup.ts'
import { luhn } from '../checksums.ts'

/** National identity numbers with their checksums; only used next to a label. `plain`: letters and digits, upper case. */
export function nationalId(plain: string, label = ''): boolean {
  if (/^(.)\1+$/.test(plain)) return false
  return RULES.some((rule) => rule(plain)) || (FORMAT_BY_LABEL[label]?.test(plain) ?? false)
}

const NIR = /^[12]\d{2}(?:0[1-9]|1[0-2]|[2-9]\d)(?:\d{2}|2[AB])\d{6}(?:\d{2})?$/
const PENSION = /^\d{2}(?:0[1-9]|[12]\d|3[01]|[5-9]\d)(?:0[1-9]|1[0-2])\d{2}[A-Z]\d{2,3}$/
/** Formats by label, for numbers without a published check digit. */
const FORMAT_BY_LABEL: Record<string, RegExp> = lookup({
  insee: NIR,
  'numéro insee': NIR,
  nir: NIR,
  'n ss': NIR,
  'no ss': NIR,
  'numéro ss': NIR,
  'n sécu': NIR,
  'numéro de sécu': NIR,
  'numéro de sécurité sociale': NIR,
  'sécurité sociale': NIR,
  'n sécurité sociale': NIR,
  'carte vitale': NIR,
  sécu: NIR,
  sécurité: NIR,
  sozialversicherungsnummer: PENSION,
  rentenversicherungsnummer: PENSION,
  'sv nummer': PENSION,
  svnr: PENSION,
  vsnr: PENSION,
  rvnr: PENSION,
  'sv nr': PENSION,
  'national id': /^\d{8,14}$/,
  'national id number': /^\d{8,14}$/,
  'id card number': /^[A-Z]{0,3}\d{6,12}$/,
  'identity card number': /^[A-Z]{0,3}\d{6,12}$/,
  curp: /^[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d$/,
  rfc: /^[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}$/,
  pan: /^[A-Z]{5}\d{4}[A-Z]$/,
  'pan number': /^[A-Z]{5}\d{4}[A-Z]$/,
  'pan card': /^[A-Z]{5}\d{4}[A-Z]$/,
  dni: /^\d{7,8}$/,
  cédula: /^\d{6,11}$/,
  cedula: /^\d{6,11}$/,
  bvn: /^\d{11}$/,
  nin: /^\d{11}$/,
  cnic: /^\d{13}$/,
  'cnic no': /^\d{13}$/,
  nid: /^\d{10,17}$/,
  mykad: /^\d{12}$/,
  'ghana card': /^GHA\d{10}$/,
  'ird number': /^\d{8,9}$/,
  ird: /^\d{8,9}$/,
  'my number': /^\d{12}$/,
  'national insurance number': /^[A-Z]{2}\d{6}[A-D]$/,
  'national insurance': /^[A-Z]{2}\d{6}[A-D]$/,
  'ni number': /^[A-Z]{2}\d{6}[A-D]$/,
  nino: /^[A-Z]{2}\d{6}[A-D]$/,
})

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
  // Canada: SIN
  (plain) => /^[1-79]\d{8}$/.test(plain) && luhn(plain),
  // Sweden: personal number, ten or twelve digits
  (plain) => /^(?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:[06-9]\d|[0-37-9]\d)\d{4}$/.test(plain) && luhn(plain.slice(-10)),
  // South Africa
  (plain) => /^\d{2}(?:0[1-9]|1[0-2])\d{9}$/.test(plain) && luhn(plain),
  // India: Aadhaar (Verhoeff)
  (plain) => /^[2-9]\d{11}$/.test(plain) && verhoeff(plain),
  // Turkey
  (plain) => {
    if (!/^[1-9]\d{10}$/.test(plain)) return false
    const d = figures(plain)
    const odd = d[0]! + d[2]! + d[4]! + d[6]! + d[8]!
    const even = d[1]! + d[3]! + d[5]! + d[7]!
    return (((odd * 7 - even) % 10) + 10) % 10 === d[9] && (odd + even + d[9]) % 10 === d[10]
  },
  // Denmark: a date and four digits; Norway: two check digits
  (plain) => /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{6}$/.test(plain),
  (plain) =>
    /^[0-7]\d{10}$/.test(plain) &&
    weighted(plain, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weighted(plain, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  // Finland
  (plain) => {
    const match = /^(\d{6})[A-FU-Y]?(\d{3})([0-9A-Y])$/.exec(plain)
    return match !== null && '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(match[1]! + match[2]!) % 31] === match[3]
  },
  // Switzerland: AHV (EAN-13)
  (plain) => /^756\d{10}$/.test(plain) && (10 - (weighted(plain, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(plain[12]),
  // Austria: social insurance
  (plain) => /^[1-9]\d{9}$/.test(plain) && weighted(plain, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(plain[3]),
  // Belgium: national register, born before or after 2000
  (plain) =>
    /^\d{11}$/.test(plain) &&
    [plain.slice(0, 9), `2${plain.slice(0, 9)}`].some((number) => 97 - (Number(number) % 97) === Number(plain.slice(9))),
  // Ireland: PPS
  (plain) => {
    const match = /^(\d{7})([A-W])([A-IW]?)$/.exec(plain)
    if (match === null) return false
    const extra = match[3] === '' || match[3] === 'W' ? 0 : (match[3]!.charCodeAt(0) - 64) * 9
    return 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(match[1]!, [8, 7, 6, 5, 4, 3, 2]) + extra) % 23] === match[2]
  },
  // Australia: tax file number
  (plain) => /^\d{9}$/.test(plain) && weighted(plain, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
  // Argentina: CUIT; Chile: RUT
  (plain) =>
    /^(?:2[0347]|3[034])\d{9}$/.test(plain) && (11 - (weighted(plain, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(plain[10]),
  (plain) => {
    const match = /^(\d{7,8})([\dK])$/.exec(plain)
    if (match === null) return false
    const sum = Array.from(match[1]!)
      .toReversed()
      .reduce((total, digit, index) => total + Number(digit) * ((index % 6) + 2), 0)
    return '0K987654321'[sum % 11] === match[2]
  },
  // Singapore: NRIC and FIN
  (plain) => {
    const match = /^([STFG])(\d{7})([A-Z])$/.exec(plain)
    if (match === null) return false
    const sum = weighted(match[2]!, [2, 7, 6, 5, 4, 3, 2]) + ('TG'.includes(match[1]!) ? 4 : 0)
    return ('ST'.includes(match[1]!) ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK')[sum % 11] === match[3]
  },
  // China: resident identity (mod 11-2)
  (plain) =>
    /^\d{17}[\dX]$/.test(plain) && '10X98765432'[weighted(plain, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === plain[17],
  // South Korea: a date, a sex, six digits
  (plain) => /^\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[1-8]\d{6}$/.test(plain),
  // Romania: CNP; Bulgaria: EGN; Croatia: OIB; Czechia and Slovakia: birth number
  (plain) => /^[1-9]\d{12}$/.test(plain) && (weighted(plain, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11) % 10 === Number(plain[12]),
  (plain) => /^\d{10}$/.test(plain) && (weighted(plain, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(plain[9]),
  (plain) => {
    if (!/^\d{11}$/.test(plain)) return false
    let remainder = 10
    for (const digit of figures(plain.slice(0, 10))) remainder = (((remainder + digit) % 10 || 10) * 2) % 11
    return (11 - remainder) % 10 === Number(plain[10])
  },
  (plain) => /^\d{2}(?:[05][1-9]|[16][0-2])\d{6}$/.test(plain) && Number(plain) % 11 === 0,
  // Greece: AMKA
  (plain) => /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{7}$/.test(plain) && luhn(plain),
  // Iceland: kennitala
  (plain) => /^\d{9}[089]$/.test(plain) && (11 - (weighted(plain, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(plain[8]),
  // Estonia and Lithuania
  (plain) => {
    if (!/^[1-6]\d{10}$/.test(plain)) return false
    const first = weighted(plain, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
    return (first < 10 ? first : (weighted(plain, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10) === Number(plain[10])
  },
]

const TIMES = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const TURNS = ['0123456789', '1576283094', '5803796142', '8916043527', '9453126870', '4286573901', '2793806415', '7046913258']
function verhoeff(plain: string): boolean {
  let sum = 0
  for (const [index, digit] of Array.from(plain).toReversed().entries()) sum = Number(TIMES[sum]![Number(TURNS[index % 8]![Number(digit)])])
  return sum === 0
}
