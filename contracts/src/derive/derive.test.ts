import { expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from '../errors.ts'
import { routes } from '../routes/index.ts'
import { createClient, pathOf } from './client.ts'
import { openapi } from './openapi.ts'
import { routesOf } from './route.ts'

const route = routesOf('g')
const document = openapi(Object.values(routes), { title: 'Bash Gym', version: '1', description: '' })

test('every reference in the document leads somewhere', () => {
  const text = JSON.stringify(document)
  const { schemas } = document['components'] as { schemas: Record<string, unknown> }
  const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((ref) => !Object.hasOwn(schemas, ref.replace('#/components/schemas/', '')))).toEqual([])
})

test('every parameter of a path is described, and every operation has its own id', () => {
  const ids: string[] = []
  for (const [path, entry] of Object.entries(document['paths'] as Record<string, Record<string, Operation>>)) {
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    for (const operation of Object.values(entry)) {
      const given = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect([path, given.toSorted()]).toEqual([path, wanted.toSorted()])
      ids.push(operation.operationId)
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
})
interface Operation {
  operationId: string
  parameters?: { name: string; in: string }[]
}

test('names of routes are their keys, their errors are known, and streams say what they produce', () => {
  for (const [key, definition] of Object.entries(routes)) {
    expect(definition.name).toBe(key)
    expect(definition.errors.filter((code) => !(code in ERRORS))).toEqual([])
    expect('response' in definition || 'produces' in definition).toBe(true)
    expect(definition.path.startsWith('/api/')).toBe(true)
  }
})

test('a schema that holds itself refers to its own component', () => {
  const Node = z
    .object({
      name: z.string(),
      get children() {
        return z.array(Node)
      },
    })
    .meta({ id: 'Node' })
  const self = openapi([route.get('n', '/api/n', { summary: 's', response: Node })], { title: '', version: '', description: '' })
  const { schemas } = self['components'] as { schemas: Record<string, unknown> }
  expect(JSON.stringify(schemas['Node'])).toContain('"#/components/schemas/Node"')
})

const one = route.get('one', '/api/{id}/x', {
  summary: 's',
  params: z.object({ id: z.string() }),
  query: z.object({ list: z.string().optional(), n: z.coerce.number().optional() }),
  response: z.object({ ok: z.boolean() }),
})

test('a path is filled in and escaped; an id that would change the path is refused', () => {
  expect(pathOf(one, { params: { id: 'a/b c' }, query: { list: ['x', 'y'], n: undefined } })).toBe('/api/a%2Fb%20c/x?list=x%2Cy')
  for (const id of ['', '.', '..']) expect(() => pathOf(one, { params: { id } })).toThrow(/cannot be the id/)
})

test('failures become errors with their code; a response in an unknown format becomes an internal error', async () => {
  const client = (response: () => Response) => createClient({ one }, () => Promise.resolve(response()))
  const call = (response: () => Response) => client(response).one({ params: { id: 'a' } })
  expect(await call(() => Response.json({ ok: true }))).toEqual({ ok: true })
  await expect(
    call(() => Response.json({ error: { code: 'not_found', message: 'gone', hint: 'h' } }, { status: 404 })),
  ).rejects.toMatchObject({
    code: 'not_found',
    message: 'gone',
    hint: 'h',
  })
  for (const answer of [
    () => new Response('<html>', { status: 502 }),
    () => new Response('<html>'),
    () => Response.json({ error: { code: 'toString', message: '' } }, { status: 500 }),
    () => Response.json(null, { status: 500 }),
  ])
    await expect(call(answer)).rejects.toMatchObject({ code: 'internal' })
})
