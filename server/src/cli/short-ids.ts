/** Ids may be shortened to the beginning that only one thing has, as in the lists that are printed. */
import type { Client } from '#contracts/derive/client.ts'
import type { Route } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import type { Routes } from '#contracts/routes/index.ts'

const ID = /^[a-z2-7]{26}$/
const BEGINNING = /^[a-z2-7]{1,25}$/
const MAX_PAGES = 200
const MAX_NAMED = 5

/** The id that begins with a text. One that no id begins with is returned as it is. Throws `invalid_request` if several do. */
export async function fullId(text: string, ids: () => Promise<readonly string[]>): Promise<string> {
  if (!BEGINNING.test(text)) return text
  const found = (await ids()).filter((id) => id.startsWith(text))
  if (found.includes(text) || found.length === 0) return text
  if (found.length === 1) return found[0]!
  throw new AppError('invalid_request', {
    message: `${found.length} ids begin with ${text}: ${found.slice(0, MAX_NAMED).join(', ')}${found.length > MAX_NAMED ? ' …' : ''}.`,
    hint: 'Enter more of the id.',
  })
}

type Call = (input?: { params?: Record<string, unknown> }) => Promise<unknown>
interface Page {
  items?: { id?: unknown }[]
  nextCursor?: string | null
}

/** A client whose calls take shortened ids: those of the list that a call's path begins with. */
export function withShortIds(client: Client<Routes>, routes: Readonly<Record<string, Route>>): Client<Routes> {
  const calls = client as unknown as Record<string, Call> // built from the same table
  /** `isWhole`: every thing of this path has been listed, and all have ids of this form. */
  const listed = async (path: string): Promise<{ ids: string[]; isWhole: boolean }> => {
    const list = Object.values(routes).find((route) => route.method === 'get' && route.path === path)
    if (!list) return { ids: [], isWhole: false }
    const ids: string[] = []
    let others = 0
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items = [], nextCursor } = (await calls[list.name]!({
        query: { limit: 100, ...(cursor !== undefined && { cursor }) },
      } as never)) as Page
      const fitting = items.flatMap(({ id }) => (typeof id === 'string' && ID.test(id) ? [id] : []))
      ids.push(...fitting)
      others += items.length - fitting.length
      if (typeof nextCursor !== 'string') return { ids, isWhole: others === 0 }
      cursor = nextCursor
    }
    return { ids, isWhole: false }
  }
  const withFullId = (route: Route, call: Call): Call => {
    const at = route.path.search(/\/(?:\{id\}|:id)(?:\/|$)/)
    if (at === -1) return call
    return async (input) => {
      const id = input?.params?.['id']
      if (typeof id !== 'string' || !BEGINNING.test(id)) return call(input)
      const { ids, isWhole } = await listed(route.path.slice(0, at))
      const found = await fullId(id, () => Promise.resolve(ids))
      if (found === id && isWhole) throw unknownId(route, id)
      return call({ ...input, params: { ...input!.params, id: found } })
    }
  }
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, routes[name] ? withFullId(routes[name], call) : call]),
  ) as unknown as Client<Routes> // the same calls
}

function unknownId({ errors }: Route, id: string): AppError {
  const code = errors.find((one) => one.endsWith('_not_found')) ?? 'not_found'
  const what = code === 'not_found' ? 'Nothing' : `No ${code.replace('_not_found', '').replaceAll('_', ' ')}`
  return new AppError(code, { message: `${what} has the id ${id}.` })
}
