import { z } from 'zod'

type Unwrapped<Field extends z.ZodType> =
  Field extends z.ZodDefault<infer Inner extends z.ZodType>
    ? Inner
    : Field extends z.ZodPrefault<infer Inner extends z.ZodType>
      ? Inner
      : Field
type Input<Field> = Field extends z.ZodType ? z.input<Unwrapped<Field>> : never
type Output<Field> = Field extends z.ZodType ? z.output<Unwrapped<Field>> : never
type Fields<Group> = Group extends z.ZodType ? (Unwrapped<Group> extends z.ZodObject<infer Shape> ? Shape : null) : null
type PatchOutput<Groups> = {
  [Name in keyof Groups]?: Fields<Groups[Name]> extends infer Shape extends z.ZodRawShape
    ? { [Field in keyof Shape]?: Output<Shape[Field]> | undefined }
    : Output<Groups[Name]>
}
type PatchInput<Groups> = {
  [Name in keyof Groups]?: Fields<Groups[Name]> extends infer Shape extends z.ZodRawShape
    ? { [Field in keyof Shape]?: Input<Shape[Field]> | undefined }
    : Input<Groups[Name]>
}

const unwrapped = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? (field.unwrap() as z.ZodType) : field

/** Fields lose their defaults; otherwise a change of one field would reset the others. */
function groupPatch(group: z.ZodType): z.ZodType {
  const bare = unwrapped(group)
  if (!(bare instanceof z.ZodObject)) return bare
  const fields = Object.entries(bare.shape as z.ZodRawShape).map(([name, field]) => [name, unwrapped(field as z.ZodType).optional()])
  return z.strictObject(Object.fromEntries(fields) as z.ZodRawShape)
}

/** The schema for a change of settings, which can have any groups and fields. Unknown keys are refused. */
export function patchOf<Groups extends z.ZodRawShape>(settings: z.ZodObject<Groups>): z.ZodType<PatchOutput<Groups>, PatchInput<Groups>> {
  const groups = Object.entries(settings.shape).map(([name, group]) => [name, groupPatch(group as z.ZodType).optional()])
  return z.strictObject(Object.fromEntries(groups) as z.ZodRawShape) as unknown as z.ZodType<PatchOutput<Groups>, PatchInput<Groups>> // has the same fields as the type
}
