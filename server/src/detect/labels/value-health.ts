import { conditionsIn } from '../people/medical-conditions.ts'
import { ICD10 } from '../lexicon.ts'
import { isNeverName } from '../people/names.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import type { Report } from '../types.ts'
import { type Check, matchInside } from './value-check.ts'

export const condition: Check = (field, report, text) => {
  const conditions = conditionsIn(field.text).filter(({ start }) => start < 80)
  if (conditions.length > 0) {
    for (const { start, end } of conditions) report('medical_condition', 'label', field.start + start, field.start + end, 0.85, true)
    if (field.quoted && field.style === 'assign') otherConditions(text, field.end, report)
  } else if (
    /medical|médic|medic|health|illness|disease|erkrankung|krankheit|enfermedad|malattia|maladie|doença|ziekte/.test(field.phrase) &&
    field.quoted &&
    /^\p{Lu}?[\p{L} '-]{4,50}$/u.test(field.text) &&
    !isPlaceholder(field.text) &&
    !isNeverName(field.text)
  )
    report('medical_condition', 'label', field.start, field.end, 0.6)
}

export const diagnosis: Check = (field, report, text) => {
  condition(field, report, text)
  const code = matchInside(field, ICD10)
  if (code !== null && code.start - field.start < 30 && (/icd|dx/.test(field.phrase) || code.text.includes('.')))
    report('medical_condition', 'icd', code.start, code.end, 0.85, true)
}

/** Reports the other conditions of a list: `["asthma", "epilepsy"]`. */
function otherConditions(text: string, end: number, report: Report): void {
  const rest = text.slice(end, end + 600)
  const list = /^["'](?:\s{0,20},\s{0,20}["'][^"'\n]{2,60}["']){1,20}/.exec(rest)?.[0]
  if (list === undefined) return
  for (const { start, end: last } of conditionsIn(list)) report('medical_condition', 'label', end + start, end + last, 0.8, true)
}
