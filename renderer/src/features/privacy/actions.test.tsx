import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { PrivacyDecision, PrivacyScope } from '#contracts/entities/privacy.ts'
import { AppError } from '#contracts/errors.ts'
import { api } from '#renderer/api/client.ts'
import { createDecisionActions } from './actions.ts'

const decisions = (...ids: string[]) => ({ items: ids.map((id) => ({ id }) as PrivacyDecision) })
const scopes = (count: number): PrivacyScope[] => Array.from({ length: count }, (_, index) => ({ scope: 'value', value: `v${index}` }))
const undone = () => {
  const all: string[] = []
  vi.spyOn(api, 'undoPrivacyDecisions').mockImplementation(({ body }) => {
    all.push(...body.ids)
    return Promise.resolve({ items: [] })
  })
  return all
}

test('a decision can be undone before the server has answered', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof decisions>>()
  vi.spyOn(api, 'decideManyPrivacy').mockReturnValue(answer.promise)
  const all = undone()
  const deciding = createDecisionActions(new QueryClient())
  const decided = deciding.decide(scopes(1), { action: 'keep' }, 'Kept')
  const back = deciding.undo()
  answer.resolve(decisions('d1'))
  expect(await decided).toBe(true)
  await back
  expect(all).toEqual(['d1'])
})

test('a decision about many findings applies to all or to none', async () => {
  vi.spyOn(api, 'decideManyPrivacy').mockResolvedValueOnce(decisions('d2', 'd3')).mockRejectedValueOnce(new AppError('internal'))
  const all = undone()
  expect(await createDecisionActions(new QueryClient()).decide(scopes(1001), { action: 'redact' }, 'Redacted')).toBe(false)
  expect(all).toEqual(['d2', 'd3'])
})

test('a decision undone in the list is not undone again', async () => {
  vi.spyOn(api, 'decideManyPrivacy').mockResolvedValueOnce(decisions('d4')).mockResolvedValueOnce(decisions('d5'))
  const all = undone()
  const deciding = createDecisionActions(new QueryClient())
  await deciding.decide(scopes(1), { action: 'keep' }, 'Kept')
  await deciding.decide(scopes(1), { action: 'keep' }, 'Kept')
  await deciding.undoDecision('d5', 'Kept')
  await deciding.undo()
  expect(all).toEqual(['d5', 'd4'])
})
