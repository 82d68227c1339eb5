import type { z } from 'zod'
import type { Route } from '#contracts/derive/route.ts'
import { type PlaceMark, placesIn, textFieldsOf } from '#contracts/places.ts'

type Part = 'params' | 'query' | 'body'

/** A field of a route that names a place, and how to make a smallest request with a value in it. */
export interface MarkedField {
  route: Route
  part: Part
  path: string
  place: PlaceMark
  /** Null if the contract itself refuses the value there. */
  request: (value: string | boolean) => Record<Part, unknown> | null
}

/** Every marked field of these routes. */
export const markedFields = (routes: readonly Route[]): MarkedField[] =>
  routes.flatMap((route) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = route[part]
      const fields = schema ? textFieldsOf(schema).filter(({ place }) => place !== null) : []
      return fields.map(({ path, place }): MarkedField => {
        const request = (value: string | boolean) => {
          const parts = { params: sampleOf(route.params), query: sampleOf(route.query), body: sampleOf(route.body) }
          parts[part] = valid(schema!, samples(schema!, stepsOf(path), value), value)
          return parts[part] === undefined ? null : parts
        }
        return { route, part, path, place: place!, request }
      })
    }),
  )

/** `tasks[].endpoint.baseUrl` as keys; `[]` is the first of a list, `{}` a value of a record. */
const stepsOf = (path: string): string[] => path.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? []

const sampleOf = (schema: z.ZodType | undefined): unknown => (schema ? valid(schema, samples(schema, [], undefined)) : undefined)

/** The first sample that the schema accepts, with the value in it. */
function valid(schema: z.ZodType, candidates: readonly unknown[], value?: string | boolean): unknown {
  return candidates.find((one) => {
    const parsed = schema.safeParse(one)
    return parsed.success && (value === undefined || placesIn(schema, parsed.data).some((place) => place.value === String(value)))
  })
}

/** Texts of which one fits any format of the contract; the first names no foreign place. */
const TEXTS = ['http://127.0.0.1:9', 'abcdefghijklmnopqrstuvwxyz', 'x', 'a-name-of-16-letters', '/nowhere', 'a/b', '00000000-0000-0000-0000-000000000000', 'a'.repeat(40)] // prettier-ignore
/** Keys of records. */
const KEYS = ['baseModel', 'x']
const MOST = 40

/** Whether an option of a union can have this key. */
const mayHave = ({ _zod: { def } }: z.core.$ZodTypes, key: string | undefined): boolean =>
  key === undefined || def.type !== 'object' || Object.hasOwn(def.shape, key)

/** Smallest values of a schema, with `value` at the end of the steps. */
function samples(schema: z.ZodType, steps: readonly string[], value: string | boolean | undefined): unknown[] {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  const inner = (one: z.core.$ZodType) => samples(one as z.ZodType, steps, value)
  const [step, ...rest] = steps
  switch (def.type) {
    case 'object': {
      let all: Record<string, unknown>[] = [{}]
      for (const [name, field] of Object.entries(def.shape)) {
        const isOnPath = name === step
        if (!isOnPath && (field as z.ZodType).safeParse(undefined).success) continue
        const values = isOnPath ? samples(field as z.ZodType, rest, value) : samples(field as z.ZodType, [], undefined).filter((one) => (field as z.ZodType).safeParse(one).success).slice(0, 3) // prettier-ignore
        all = values.flatMap((one) => all.map((object) => ({ ...object, [name]: one }))).slice(0, MOST)
      }
      return all
    }
    case 'array':
      return samples(def.element as z.ZodType, step === '[]' ? rest : steps, value).map((one) => [one])
    case 'record':
      if (step !== '{}') return [{}, ...samples(def.valueType as z.ZodType, [], undefined).map((one) => ({ x: one }))]
      return KEYS.flatMap((key) => samples(def.valueType as z.ZodType, rest, value).map((one) => ({ [key]: one })))
    case 'union':
      return def.options
        .filter((option) => mayHave(option as z.core.$ZodTypes, step))
        .flatMap(inner)
        .slice(0, MOST)
    case 'pipe':
      return inner((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in)
    case 'lazy':
      return inner(def.getter())
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return inner(def.innerType)
    case 'string':
    case 'enum':
    case 'boolean':
      if (value !== undefined && steps.length === 0) return [value]
      return def.type === 'enum' ? Object.values(def.entries) : def.type === 'boolean' ? [false] : TEXTS
    case 'literal':
      return [...def.values]
    case 'number':
      return [1, 0]
    default:
      return [null]
  }
}
