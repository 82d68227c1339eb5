import type { PlanNote } from '#contracts/entities/run.ts'
import type { Refusal } from './refusals.ts'

type NoteDetails = Partial<Pick<PlanNote, 'row' | 'field' | 'apply'>>
export const note = (level: PlanNote['level'], code: string, message: string, hint: string | null, where: NoteDetails = {}): PlanNote => ({
  level,
  code,
  message,
  hint,
  row: where.row ?? null,
  field: where.field ?? null,
  apply: where.apply ?? null,
})
export const refusalNote = ({ code, message, hint, field, apply = null }: Refusal): PlanNote =>
  note('refusal', code, message, hint, { field, apply })
