import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Model } from '#contracts/entities/model.ts'
import { MESSAGES } from '#renderer/app/features.ts'
import { api } from '#renderer/api/client.ts'
import { createHandlers } from '#renderer/api/messages.ts'
import { modelKeys } from '#renderer/api/models.ts'
import { showPart, testQueries } from '#renderer/app/testing-page.tsx'
import CompareModels from './compare.tsx'

afterEach(() => history.replaceState(null, '', '/'))

const aModel = (id: string) =>
  ({
    id,
    name: `model ${id}`,
    createdAt: '2026-11-20T00:00:00.000Z',
    lineage: { baseModel: 'base', strategy: 'sft', datasetName: 'd', datasetId: null },
    training: { device: null },
    operational: {},
    evaluations: [],
  }) as unknown as Model

function show(ids: readonly string[], figures: Record<string, number> = { loss: 1 }, modelOf = aModel) {
  history.replaceState(null, '', `/models/compare?ids=${ids.join(',')}`)
  vi.spyOn(api, 'compareModels').mockResolvedValue(Object.fromEntries(ids.map((id) => [id, figures])))
  vi.spyOn(api, 'listModels').mockResolvedValue({ items: [], nextCursor: null, total: 0, diskBytes: 0 })
  vi.spyOn(api, 'listBaseModels').mockReturnValue(new Promise(() => undefined))
  const queries = testQueries()
  for (const id of ids) queries.setQueryData(modelKeys.one(id), modelOf(id))
  showPart(<CompareModels />, queries)
  return createHandlers(queries, MESSAGES)
}
const columns = () =>
  screen
    .getAllByRole('columnheader')
    .slice(1)
    .map((head) => head.textContent)

test('a model deleted while the page is open is reported, stays out of the comparison, and can be removed from the address', async () => {
  const handlers = show(['a', 'b', 'c'])
  await screen.findByRole('table')
  expect(screen.queryByText(/no longer exists/)).toBeNull()
  act(() => handlers['model:removed']({ id: 'a' }, ''))
  await screen.findByText('1 model in this link no longer exists.')
  await screen.findByRole('table')
  expect(columns()).toEqual([expect.stringContaining('model b'), expect.stringContaining('model c')])
  fireEvent.click(screen.getByRole('button', { name: 'Remove it' }))
  expect(location.search).toBe('?ids=b%2Cc')
  expect(screen.queryByText(/no longer exists/)).toBeNull()
})

test('when the address names more than six models, the page says that only the first six are compared', async () => {
  show(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  await screen.findByRole('table')
  expect(columns()).toHaveLength(6)
  expect(screen.getByText(/^Differences are relative to the first/).textContent).toContain('Only the first 6 of 7 models are compared.')
})

test('held-out figures that were measured on other answers are not put side by side', async () => {
  const modelOf = (id: string) => ({ ...aModel(id), training: { heldOut: id === 'c' ? 'other' : 'same' } }) as Model
  show(['a', 'b', 'c'], { eval_arg_f1: 0.5 }, modelOf)
  const row = (await screen.findByRole('rowheader', { name: /argument F1/i })).closest('tr')!
  expect([...row.querySelectorAll('td')].map(({ textContent }) => textContent)).toEqual([expect.stringContaining('50'), expect.stringContaining('50'), 'other answers']) // prettier-ignore
})
