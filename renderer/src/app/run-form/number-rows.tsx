import { NumberRow } from '#renderer/ui/form-rows.tsx'
import type { Problems } from './form.ts'

/** Names of the form's text fields, which include the numbers. */
type TextField<Form> = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form] & string

/** Returns a function that renders the row of a number field; an empty field shows its default. */
export function numberRows<Form>({
  form,
  defaults,
  problems,
  set,
}: {
  form: Form
  defaults: Pick<Form, TextField<Form>>
  problems: Problems<Form>
  set: (part: Partial<Form>) => void
}) {
  const textOf = (values: Pick<Form, TextField<Form>>, name: TextField<Form>) => String(values[name])
  const number = (name: TextField<Form>, label: string, hint: string) => (
    <NumberRow
      key={name}
      label={label}
      hint={hint}
      error={problems[name]}
      value={textOf(form, name)}
      placeholder={textOf(defaults, name) || 'none'}
      onChange={(value) => set({ [name]: value } as Partial<Form>)} // TypeScript cannot tell that `name` is a field of the form
    />
  )
  return number
}
