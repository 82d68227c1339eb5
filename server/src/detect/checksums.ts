/** Checksums and ranges of numbers. Arguments have no separators. */

export function luhn(digits: string): boolean {
  let sum = 0
  for (let index = digits.length - 1, double = false; index >= 0; index -= 1, double = !double) {
    const digit = digits.charCodeAt(index) - 48
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}

/** The issuer of a card number by range and length (ISO/IEC 7812); null if no issuer has such numbers. */
export function cardIssuer(digits: string): string | null {
  const length = digits.length
  const two = Number(digits.slice(0, 2))
  const three = Number(digits.slice(0, 3))
  const four = Number(digits.slice(0, 4))
  const six = Number(digits.slice(0, 6))
  if (digits.startsWith('4')) return length === 13 || length === 16 || length === 19 ? 'visa' : null
  if (((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) && length === 16) return 'mastercard'
  if ((two === 34 || two === 37) && length === 15) return 'amex'
  if (((three >= 300 && three <= 305) || three === 309 || two === 36 || two === 38 || two === 39) && length >= 14 && length <= 19)
    return 'diners'
  if ((four === 6011 || (three >= 644 && three <= 649) || two === 65 || (six >= 622126 && six <= 622925)) && length >= 16) return 'discover'
  if (four >= 3528 && four <= 3589 && length >= 16) return 'jcb'
  if (two === 62 && length >= 16) return 'unionpay'
  if ((four === 5018 || four === 5020 || four === 5038 || four === 6304 || four === 6759 || (four >= 6761 && four <= 6763)) && length >= 12)
    return 'maestro'
  if (four >= 2200 && four <= 2204 && length >= 16) return 'mir'
  return null
}

/** Length of an IBAN by country (SWIFT registry). */
const IBAN_LENGTHS = new Map<string, number>(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23
  GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28
  NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

export const ibanLength = (country: string) => IBAN_LENGTHS.get(country) ?? null

/** ISO 7064 mod 97-10 over the rearranged number. */
export function mod97(iban: string): boolean {
  let remainder = 0
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const code = char.charCodeAt(0)
    const value = code < 58 ? code - 48 : code - 55
    remainder = (value > 9 ? remainder * 100 + value : remainder * 10 + value) % 97
  }
  return remainder === 1
}

/** Numbers that were printed on sample cards and therefore withdrawn. */
const SAMPLE_SSNS = new Set(['078051120', '219099999', '123456789', '457555462'])

/** Whether area, group and serial are in ranges that the Social Security Administration issues. */
export function ssnInRange(digits: string): boolean {
  const area = digits.slice(0, 3)
  return (
    !SAMPLE_SSNS.has(digits) &&
    area !== '000' &&
    area !== '666' &&
    area < '900' &&
    digits.slice(3, 5) !== '00' &&
    digits.slice(5) !== '0000'
  )
}

export type AddressClass = 'public' | 'private' | 'reserved'

/** Class of an address: RFC 1918, 6598 and 3927 are private; loopback, documentation, multicast and masks are reserved. */
export function classOfIpv4(octets: readonly number[]): AddressClass | null {
  if (octets.length !== 4 || octets.some((octet) => octet > 255)) return null
  const [a, b, c] = octets as [number, number, number, number]
  if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 100 && b >= 64 && b < 128)) return 'private'
  if (a === 0 || a === 127 || a >= 224 || (a === 169 && b === 254)) return 'reserved'
  if ((a === 192 && b === 0 && (c === 2 || c === 0)) || (a === 198 && b === 51 && c === 100) || (a === 203 && b === 0 && c === 113))
    return 'reserved'
  if (a === 198 && (b === 18 || b === 19)) return 'reserved'
  return 'public'
}

export function classOfIpv6(text: string): AddressClass | null {
  const lower = text.toLowerCase()
  const halves = lower.split('::')
  if (halves.length > 2) return null
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const count = groups.length + (last.includes('.') ? 1 : 0)
  if (halves.length === 2 ? count > 7 : count !== 8) return null
  if (!groups.every((group, index) => /^[0-9a-f]{1,4}$/.test(group) || (index === groups.length - 1 && /^\d+\.\d+\.\d+\.\d+$/.test(group))))
    return null
  const first = lower.startsWith('::') ? 0 : Number.parseInt(groups[0] ?? '0', 16)
  if (first >> 9 === 0x7e || first >> 6 === 0x3fa) return 'private' // fc00::/7, fe80::/10
  if (first === 0x2001 && /^2001:0?db8/.test(lower)) return 'reserved'
  if (first === 0x3fff || first >> 13 !== 1) return 'reserved'
  return 'public'
}
