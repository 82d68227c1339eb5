import { lookup } from '../lookup.ts'
import { z } from 'zod'
import { ERRORS } from '../errors.ts'
import { type Route, takesIdempotencyKey } from './route.ts'

type Json = Record<string, unknown>

/**
 * The OpenAPI 3.1 document of routes. Schemas with `.meta({id})` become components; others are inlined.
 * Requests use the input side of a schema, responses the output side.
 */
export function openapi(routes: readonly Route[], info: { title: string; version: string; description: string }): Json {
  const components: Json = { WireError: wireError() }
  const paths: Record<string, Json> = lookup()
  for (const route of routes) {
    const entry = (paths[route.path] ??= {})
    entry[route.method] = operation(route, components)
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b))),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'the token of the data directory, or the session key of a signed-in browser',
        },
      },
    },
  }
}

function operation(route: Route, components: Json): Json {
  const parameters = [
    ...parametersOf(route.params, 'path', components),
    ...parametersOf(route.query, 'query', components),
    ...(takesIdempotencyKey(route) ? [IDEMPOTENCY_HEADER] : []),
  ]
  const codes = [
    ...new Set([
      'invalid_request',
      ...(route.isPublic ? [] : ['unauthorized']),
      'foreign_origin',
      ...(route.isOwnerOnly ? ['owner_only'] : []),
      ...(route.params ? ['not_found'] : []), // a path parameter may name something that does not exist
      ...route.errors,
      'internal',
    ]),
  ] as (keyof typeof ERRORS)[]
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  const failures = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, list]) => [
      String(status),
      {
        description: list.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/WireError' } } },
      },
    ])
  const success = route.response
    ? {
        description: 'Success',
        content: {
          'application/json': { schema: schemaOf(route.response, 'output', components) },
          ...(route.produces === undefined ? {} : { [route.produces]: { schema: { type: 'string', format: 'binary' } } }),
        },
      }
    : {
        description: 'Success',
        // a JSON document in a foreign format has no schema
        content: {
          [route.produces ?? 'application/octet-stream']: {
            schema: route.produces === 'application/json' ? {} : { type: 'string', format: 'binary' },
          },
        },
      }
  return {
    operationId: route.name,
    tags: [route.group],
    summary: route.summary,
    ...(parameters.length ? { parameters } : {}),
    ...(route.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input', components) } } } }
      : {}),
    responses: {
      [String(route.status ?? 200)]: success,
      ...Object.fromEntries(failures),
    },
    ...(route.isPublic ? { security: [] } : {}),
  }
}

const IDEMPOTENCY_HEADER: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'the same as `idempotencyKey` in the body, which overrides it',
  schema: { type: 'string', minLength: 8, maxLength: 100 },
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', components: Json): Json[] {
  if (!schema) return []
  const object = schemaOf(schema, 'input', components) as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    schema: property,
    ...(property['type'] === 'array' ? { style: 'form', explode: false } : {}),
  }))
}

/** The schema in the document. Parts with an id become components; input sides get the suffix `Input`. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // Readers must accept unknown fields, because responses may get new ones.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      // A preprocessed value (a comma-separated list) is described by its result.
      const { def } = zodSchema._zod
      if (io === 'input' && def.type === 'pipe' && def.in._zod.def.type === 'transform')
        Object.assign(jsonSchema, withoutMetaKeys(z.toJSONSchema(def.out, { io, unrepresentable: 'any', reused: 'inline' })))
    },
  }) as Json & { $defs?: Record<string, Json> }
  const { $defs = {}, ...rest } = made
  const suffix = io === 'input' ? 'Input' : ''
  const { id } = rest
  const rename = (ref: string) => (ref === '#' ? `${COMPONENTS}${String(id)}${suffix}` : ref.replace('#/$defs/', COMPONENTS) + suffix)
  for (const [name, definition] of Object.entries($defs)) components[name + suffix] = rewriteRefs(withoutMetaKeys(definition), rename)
  const own = rewriteRefs(withoutMetaKeys(rest), rename) as Json
  if (typeof id !== 'string') return own
  components[id + suffix] = own
  return { $ref: `${COMPONENTS}${id}${suffix}` }
}

const COMPONENTS = '#/components/schemas/'

/** Removes `id` (from zod, not a keyword of JSON Schema 2020-12), `$schema` (declared once for the document) and `$defs`. */
const withoutMetaKeys = (schema: Json): Json => Object.fromEntries(Object.entries(schema).filter(([key]) => !META_KEYS.has(key)))
const META_KEYS = new Set(['id', '$schema', '$defs'])

function rewriteRefs(value: unknown, rename: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteRefs(item, rename))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' ? rename(item) : rewriteRefs(item, rename),
    ]),
  )
}

function wireError(): Json {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: Object.keys(ERRORS) },
          message: { type: 'string' },
          hint: { type: 'string' },
          details: {},
        },
      },
    },
  }
}
