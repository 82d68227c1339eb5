import { expect, test } from 'vitest'
import type { Route } from './derive/route.ts'
import { textFieldsOf } from './places.ts'
import { routes } from './routes/index.ts'

const all: Route[] = Object.values(routes)
/** Names of fields that sound like a path, an address or a program. */
const SOUNDS_LIKE_A_PLACE =
  /path|file|folder|director|^dir|dir$|root|cwd|repo|source|target|output|destination|^out$|url|uri|endpoint|address|host|program|python|image|registry|project|mount|socket|^allow|network|workdir/i

/** Groups whose rows name places that are not used again. */
const SILENT = new Map([
  ['system', 'settings are judged when they change'],
  ['datasets', 'a recipe is not built again'],
  ['sandboxes', 'the addresses of a sandbox are judged when it is created'],
  ['environments', 'tasks are read, and the address is opened, when an environment starts'],
  ['shell-tasks', 'shell tasks have no places; generations say what they use'],
])

const fieldsOf = ({ params, query, body }: Route) => [params, query, body].flatMap((schema) => (schema ? textFieldsOf(schema) : []))

test('every field of a request whose name sounds like a place is marked as one, or says why it is none', () => {
  const unmarked = all.flatMap((route) =>
    fieldsOf(route)
      .filter(({ path, place, notAPlace }) => SOUNDS_LIKE_A_PLACE.test(lastName(path)) && place === null && notAPlace === null)
      .map(({ path }) => `${route.name} ${path}`),
  )
  expect(unmarked).toEqual([])
})

test('every call on a stored row that may name places says which places it uses, or why it uses none', () => {
  const groups = new Set(
    all.filter(({ response }) => response && textFieldsOf(response).some(({ place }) => place)).map(({ group }) => group),
  )
  expect([...groups]).toEqual(expect.arrayContaining(['tasks', 'batches', 'rollouts', 'training']))
  const silent = all.filter(({ group, method, params, stored }) => groups.has(group) && !SILENT.has(group) && method !== 'get' && params && !stored) // prettier-ignore
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('a call that may be refused until the owner confirms it says so', () => {
  const silent = all.filter((route) => {
    const mayAsk = fieldsOf(route).some(({ place }) => place) || typeof route.stored === 'string'
    return mayAsk && !route.errors.includes('confirmation_required')
  })
  expect(silent.map(({ name }) => name)).toEqual([])
})

const lastName = (path: string): string =>
  path
    .replaceAll(/\[\]|\{\}/g, '')
    .split('.')
    .at(-1)!
