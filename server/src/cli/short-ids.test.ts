import { expect, it } from 'vitest'
import { routes } from '#contracts/routes/index.ts'
import { withShortIds } from './short-ids.ts'

const [FIRST, SECOND, THIRD] = ['a', 'ab', 'c'].map((begin) => begin.padEnd(26, 'x')) as [string, string, string]

/** A client whose lists have three ids, on two pages, and whose calls answer with the id they got. */
const client = () =>
  withShortIds(
    Object.fromEntries(
      Object.values(routes).map(({ name, path }) => [
        name,
        async ({ params, query }: { params?: { id: string }; query?: { cursor?: string } } = {}) =>
          path.endsWith('}') || params ? params?.id : query?.cursor === undefined ? { items: [{ id: FIRST }, { id: SECOND }], nextCursor: '2' } : { items: [{ id: THIRD }], nextCursor: null },
      ]),
    ) as never,
    routes,
  ) // prettier-ignore

it('a call takes the beginning of an id, if only one id of its list begins so', async () => {
  const { stopSandbox, getTrace, getModel, getBatch, getConfirmation } = client()
  const stop = (id: string) => stopSandbox({ params: { id }, body: { remove: true } })
  expect(await stop('ab')).toBe(SECOND)
  expect(await stop('c')).toBe(THIRD)
  expect(await stop(FIRST)).toBe(FIRST)
  await expect(stop('none')).rejects.toMatchObject({ message: 'No sandbox has the id none.' })
  expect(await getConfirmation({ params: { id: 'code' } })).toBe('code') // no list has these
  await expect(stop('a')).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(`${FIRST}, ${SECOND}`) })
  expect(await getTrace({ params: { id: 'ab' } })).toBe(SECOND)
  expect(await getModel({ params: { id: 'ab' } })).toBe(SECOND)
  expect(await getBatch({ params: { id: 'ab' }, query: {} })).toBe(SECOND)
})
