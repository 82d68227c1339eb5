import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { api } from '#renderer/api/client.ts'
import { undoNewest } from '../undo.ts'
import { createExampleActions } from './actions.ts'

test('accepting an accepted example adds nothing to undo; undo affects the act before it', async () => {
  const undoneBulkIds: string[] = []
  vi.spyOn(api, 'reviewExamples')
    .mockResolvedValueOnce({ bulkId: 'first', changed: 1 })
    .mockResolvedValueOnce({ bulkId: 'second', changed: 0 })
  vi.spyOn(api, 'undoReview').mockImplementation(({ params }) => {
    undoneBulkIds.push(params.bulkId)
    return Promise.resolve({ changed: 1 })
  })
  const actions = createExampleActions(new QueryClient())
  for (let times = 0; times < 2; times += 1) await actions.review({ ids: ['a'.repeat(26)] }, 'accepted', ['a'.repeat(26)], 1)
  await undoNewest()
  await undoNewest()
  expect(undoneBulkIds).toEqual(['first'])
})
