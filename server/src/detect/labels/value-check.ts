import { codeIn } from './issued-numbers.ts'
import type { Field } from './field.ts'
import type { PiiType, Report } from '../types.ts'

/** Reports the value after a label if it is of the label's kind. */
export type Check = (field: Field, report: Report, text: string) => void

export const matchInside = (field: Field, pattern: RegExp) => {
  const match = pattern.exec(field.text)
  return match === null ? null : { start: field.start + match.index, end: field.start + match.index + match[0].length, text: match[0] }
}

export const isCode = (field: Field) => !field.quoted && /[(){}=$]|^\w+\.\w+|^(?:null|true|false|undefined|none)$/i.test(field.text)

/** A check for labelled numbers of letters and digits: passports, licences, records, plans. */
export const numberCheck =
  (type: PiiType, least: { digits: number; signs: number; most: number }, confidence: number): Check =>
  (field, report) => {
    const code = codeIn(field.text, least)
    if (code === null) return
    const value = field.text.slice(code.start, code.end)
    if (!field.quoted && field.style === 'prose' && /[a-z]/.test(value)) return
    report(type, 'label', field.start + code.start, field.start + code.end, confidence)
  }
export const LICENCE = { digits: 4, signs: 5, most: 18 }
export const sliceAt = (text: string, start: number, end: number) => text.slice(Math.max(0, start), Math.max(0, end))
