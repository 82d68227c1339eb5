import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

const MONTHS =
  'jan(?:uary|uar|uari|eiro)?|january|januar|janvier|janv|enero|ene|gennaio|gen|feb(?:ruary|ruar|ruari|brero)?|février|fév|fevereiro|fev|febbraio|febrero|mar(?:ch|s|zo|ço)?|märz|mrz|maart|mrt|apr(?:il|ile)?|avril|avr|abril|abr|may|mai|maio|mayo|maggio|mag|mei|june?|juni|juin|junio|junho|giugno|giu|july?|juli|juillet|juil|julio|julho|luglio|lug|aug(?:ust|ustus)?|août|agosto|ago|sep(?:t|tember|tembre|tiembre)?|settembre|setembro|set|oct(?:ober|obre|ubre)?|okt(?:ober)?|ottobre|ott|outubro|out|nov(?:ember|embre|iembre|embro)?|dec(?:ember|embre)?|dez(?:ember|embro)?|déc(?:embre)?|dic(?:iembre|embre)?|stycz(?:nia|eń)|lut(?:ego|y)|marca|marzec|kwietnia|maja|czerwca|lipca|sierpnia|wrzes?ś?nia|października|listopada|grudnia|ledna|února|března|dubna|května|června|července|srpna|září|října|prosince|ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık|januára|februára|januari|februari|augusti|oktober|desember|tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня'
const DATE = new RegExp(
  String.raw`(?:(?<y1>\d{4})(?:[-/.]|\s?[年년]\s?)(?<m1>\d{1,2})(?:[-/.]|\s?[月월]\s?)(?<d1>\d{1,2})(?:\s?[日일])?|(?<a>\d{1,2})(?:[-/.]|\. )(?<b>\d{1,2})(?:[-/.]|\. )(?<y2>\d{4}|\d{2})|(?<d3>\d{1,2})(?:st|nd|rd|th|er|\.|º)?[ -](?:de |of )?(?:${MONTHS})\.?,?[ -](?:de |del )?(?<y3>\d{4})|(?:${MONTHS})\.? (?<d4>\d{1,2})(?:st|nd|rd|th)?,? (?<y4>\d{4})|(?<y5>(?:19|20)\d\d)(?<m5>0[1-9]|1[0-2])(?<d5>[0-2]\d|3[01]))(?![\d])`,
  'iy',
)

const MONTH = String.raw`(?:${MONTHS})(?![\p{L}])`
const ANY = new RegExp(
  [
    String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?${MONTH}\.? {1,2}\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4}| \d\d:\d\d:\d\d(?: [A-Z]{3,4})? \d{4})(?!\d)`,
    String.raw`\d{1,2}(?:st|nd|rd|th|er|\.|º)?[ -](?:de |of )?${MONTH}\.?,?[ -](?:de |del )?\d{4}(?!\d)`,
    String.raw`\d{1,2}\/[A-Z][a-z]{2}\/\d{4}(?=:\d\d|\b)`,
    String.raw`(?:19|20)\d\d(?<s1>[-/.])\d{1,2}\k<s1>\d{1,2}(?![\d.-]|\/)`,
    String.raw`\d{1,2}(?<s2>[-/.])\d{1,2}\k<s2>(?:19|20)\d\d(?!\d)`,
  ]
    .map((form) => `(?:${form})`)
    .join('|'),
  'giu',
)

/** Reports every date with day, month and year. */
export function reportDates(text: string, report: Report): void {
  for (const { 0: raw, index } of text.matchAll(ANY)) {
    if (/[\p{L}\p{N}_.$/-]/u.test(text[index - 1] ?? ' ')) continue
    const figures = raw.match(/\d+/g)!.map(Number)
    const isNumeric = /^[\d./-]+$/.test(raw)
    const [year, ...rest] = isNumeric ? figures.toSorted((a, b) => b - a) : [1900, figures[0]!, 1]
    if (
      year === undefined ||
      rest.some((part) => part < 1) ||
      Math.max(...rest) > 31 + (isNumeric ? 0 : 2100) ||
      (isNumeric && Math.min(...rest) > 12)
    )
      continue
    report('date', 'date', index, index + raw.length, 0.8, true)
  }
}

/** End of the date of birth that starts here (1900 to today), or null. */
export function birthDateAt(text: string, at: number): number | null {
  const match = matchAt(DATE, text, at)
  if (match?.groups === undefined) return null
  const group = match.groups as Record<string, string | undefined>
  const year = Number(group.y1 ?? group.y2 ?? group.y3 ?? group.y4 ?? group.y5)
  if (year > 99 && (year < 1900 || year > new Date().getFullYear())) return null
  const day = Number(group.d1 ?? group.d3 ?? group.d4 ?? group.d5 ?? 1)
  const month = Number(group.m1 ?? group.m5 ?? 1)
  if (day < 1 || day > 31 || month < 1 || month > 12) return null
  if (group.a !== undefined) {
    const [a, b] = [Number(group.a), Number(group.b)]
    if (a < 1 || b < 1 || Math.max(a, b) > 31 || Math.min(a, b) > 12) return null
  }
  return at + match[0].length
}
