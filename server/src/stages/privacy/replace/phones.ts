import { lookup } from '#contracts/lookup.ts'
import { phoneDigits } from './canonical.ts'
import type { Draw } from './keyed.ts'
import { fillForm } from './numbers.ts'

/**
 * Numbers reserved for fiction: in North America 555-01xx, elsewhere the first digits (without the leading 0) and how many
 * digits follow. Sources: Ofcom, ARCEP, Bundesnetzagentur, ACMA, ComReg.
 */
const NORTH_AMERICA =
  '201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254 256 260 262 267 269 270 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 330 334 336 337 339 347 351 352 360 361 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423 425 430 432 434 435 440 443 469 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516 517 518 520 530 540 541 551 559 561 562 563 567 570 571 573 574 580 585 586 601 602 603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 630 631 636 641 646 650 651 660 661 662 678 682 701 702 703 704 706 707 708 712 713 714 715 716 717 718 719 720 724 727 731 732 734 740 754 757 760 763 765 770 772 773 774 775 781 785 786 801 802 803 804 805 806 808 810 812 813 814 815 816 817 818 828 830 831 832 843 845 847 848 850 856 857 858 859 860 863 864 865 870 901 903 904 906 907 908 909 910 912 913 914 915 916 917 918 919 920 925 928 931 936 937 940 941 947 949 951 952 954 956 970 971 972 973 978 979 980 985 989'.split(
    ' ',
  )
const COUNTRIES: Record<string, readonly (readonly [start: string, more: number])[]> = lookup({
  '44': [
    '1134960',
    '1144960',
    '1154960',
    '1164960',
    '1174960',
    '1184960',
    '1214960',
    '1314960',
    '1414960',
    '1514960',
    '1614960',
    '2079460',
    '2890180',
    '2920180',
    '7700900',
  ].map((start) => [start, 3] as const),
  '33': ['19900', '26191', '35301', '46571', '53649', '63998'].map((start) => [start, 4] as const),
  '49': [
    ['3023125', 3],
    ['6990009', 3],
    ['4066969', 3],
    ['8999998', 3],
  ],
  '61': ['25550', '27010', '35550', '37010', '75550', '77010', '85550', '87010'].map((start) => [start, 4] as const),
  '353': [['2091', 5]],
})
/** Countries recognised by the length of a number in national format, with the leading 0. */
const NATIONAL: readonly (readonly [digits: number, country: string])[] = [
  [11, '44'],
  [10, '33'],
]

/** A reserved number of the same country, or a North American one if the country has no reserved range. */
export function phoneLike(value: string, draw: Draw): string {
  const digits = phoneDigits(value)
  const isInternational = /^\s*(\+|00)/.test(value)
  const country = isInternational ? Object.keys(COUNTRIES).find((code) => digits.startsWith(code)) : undefined
  if (country) return inFormatOf(value, `${country}${reservedDigits(country, draw)}`, `+${country} `)
  const national = digits.startsWith('0') ? NATIONAL.find(([count]) => count === digits.length)?.[1] : undefined
  if (national && !isInternational) return inFormatOf(value, `0${reservedDigits(national, draw)}`, '')
  const american = `${draw.of(NORTH_AMERICA)}55501${draw.digits(2)}`
  const allDigits = value.replaceAll(/\D/g, '')
  if (digits.length === 10) return fillForm(value, allDigits.length > 10 ? allDigits.slice(0, allDigits.length - 10) + american : american)
  return `${isInternational ? '+1 ' : ''}${american.slice(0, 3)}-555-${american.slice(6)}`
}

const reservedDigits = (country: string, draw: Draw) => {
  const [start, digitCount] = draw.of(COUNTRIES[country]!)
  return start + draw.digits(digitCount)
}

/** The digits in the format of the value, or unformatted if the lengths differ. */
function inFormatOf(value: string, digits: string, prefix: string): string {
  const places = value.replaceAll(/\D/g, '')
  if (places.length === digits.length) return fillForm(value, digits)
  if (places.length === digits.length + 2 && places.startsWith('00')) return fillForm(value, `00${digits}`)
  return prefix + digits.slice(prefix.replaceAll(/\D/g, '').length)
}

const RANGES = [
  ...Object.entries(COUNTRIES).flatMap(([country, ranges]) => ranges.map(([start, more]) => `(?:00)?${country}0?${start}\\d{${more}}`)),
  ...NATIONAL.flatMap(([, country]) => COUNTRIES[country]!.map(([start, more]) => `0${start}\\d{${more}}`)),
]
const RESERVED = new RegExp(`^(?:1?[2-9]\\d\\d55501\\d\\d|${RANGES.join('|')})$`)

export const isReservedPhone = (value: string): boolean => RESERVED.test(value.replaceAll(/\D/g, ''))
