import { z } from 'zod'

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The keys inside these fields are user data, so they are not renamed. */
const DATA = new Set(['env', 'labels', 'guard'])

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [rename(name), DATA.has(name) ? one : renamed(one, rename)]))
}

/** Converts the field names of plain data to snake_case; the keys inside `env`, `labels` and `guard` stay as they are. */
export const toSnake = (value: unknown): unknown => renamed(value, snake)
export const fromSnake = (value: unknown): unknown => renamed(value, camel)

/** The same object schema with snake_case field names and no defaults, so that a missing field stays missing. */
export function snakeShape(schema: z.ZodObject): z.ZodObject {
  const fields = Object.entries(schema.shape).map(([name, field]) => [snake(name), plain(field as z.ZodType).optional()])
  return z.object(Object.fromEntries(fields) as z.ZodRawShape)
}

const plain = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? plain(field.unwrap() as z.ZodType) : field
