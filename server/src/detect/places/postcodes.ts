import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** British and Canadian postcodes in capitals with a space, whose format is unmistakable. */

const AREAS = new Set(
  'AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G GL GU HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE'.split(
    ' ',
  ),
)
const BRITISH = /([A-Z]{1,2})\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?![\p{L}\p{N}_-])/uy
const CANADIAN = /[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d(?![\p{L}\p{N}_-])/uy

/** A word of two to four characters from `start` to `end`, followed by a space and three characters. */
export function postcodeAt(text: string, start: number, end: number, report: Report): void {
  const figure = text.charCodeAt(end + 1)
  const letter = text.charCodeAt(end + 2)
  const first = text.charCodeAt(start)
  if (figure < 48 || figure > 57 || letter < 65 || letter > 90 || first < 65 || first > 90) return
  if (/[\p{L}\p{N}_./@#=-]/u.test(text[start - 1] ?? ' ')) return
  const british = matchAt(BRITISH, text, start)
  CANADIAN.lastIndex = start
  if (british === null ? CANADIAN.test(text) : AREAS.has(british[1]!)) report('zip_code', 'postcode', start, end + 4, 0.65)
}
