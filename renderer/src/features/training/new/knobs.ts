import { z } from 'zod'
import { lookup } from '#contracts/lookup.ts'
import { Knobs, LoraKnobs, ReportTo } from '#contracts/train-knobs.ts'
import type { SettingField } from './setting-field.ts'

const DECLARED: Record<string, z.ZodType> = lookup({
  ...Knobs,
  ...Object.fromEntries(Object.entries(LoraKnobs).map(([name, type]) => [`method.${name}`, type])),
  ...Object.fromEntries(Object.entries(ReportTo.shape).map(([name, type]) => [`reportTo.${name}`, type])),
})

/** A setting whose label, meaning and kind come from the contract. */
export function knob(path: string, more: Pick<Partial<SettingField>, 'none' | 'strategies'> = {}): SettingField {
  const declared = DECLARED[path]
  const { title, description } = declared?.meta() ?? {}
  if (!declared || title === undefined || description === undefined) throw new Error(`The contract declares no setting ${path}.`)
  const type = unwrapped(declared)
  const common = { path, label: title, meaning: description, ...more }
  if (type instanceof z.ZodEnum) return { ...common, kind: 'choice', options: optionsOf(type, more.none) }
  return { ...common, kind: type instanceof z.ZodBoolean ? 'switch' : type instanceof z.ZodArray ? 'list' : 'number' }
}

/** The type without its default and its nullability. */
function unwrapped(type: z.ZodType): z.ZodType {
  if (type instanceof z.ZodDefault || type instanceof z.ZodPrefault || type instanceof z.ZodNullable)
    return unwrapped(type.unwrap() as z.ZodType)
  return type
}

const optionsOf = (type: z.ZodEnum, none: string | undefined) => [
  ...(none === undefined ? [] : [{ value: none, label: none[0]!.toUpperCase() + none.slice(1) }]),
  ...type.options.map((value) => ({ value: String(value), label: optionLabel(String(value)) })),
]

/** Capitalises English words; names of libraries keep their spelling. */
const optionLabel = (value: string): string => (ENGLISH_WORDS.has(value) ? value[0]!.toUpperCase() + value.slice(1) : value)
const ENGLISH_WORDS = new Set(['auto', 'on', 'off', 'group', 'batch', 'none', 'token', 'sequence'])
