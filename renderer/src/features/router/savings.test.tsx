import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Savings } from '#contracts/entities/savings.ts'
import { api } from '#renderer/api/client.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { SavingsSection } from './savings.tsx'

const saved = (value: number, low: number, high: number) => ({ value, low, high })
const amounts = {
  conversations: 2,
  steps: 9,
  usd: saved(1.5, 1, 2),
  tokens: saved(20_000, 10_000, 30_000),
  ms: saved(-60_000, -61_000, -59_000),
}
const FULL: Savings = {
  proof: {
    modelId: 'm',
    name: 'Small',
    kind: 'solved_tasks',
    passed: 18,
    items: 20,
    sessions: 20,
    share: saved(0.9, 0.7, 0.97),
    run: 'r',
    at: '2026-11-01T00:00:00.000Z',
    pace: null,
  },
  note: 'A note.',
  sums: {
    sessions: 5,
    withSteps: 2,
    costUsd: 12,
    ...amounts,
    unpriced: 1,
    byKind: [{ kind: 'subagent', ...amounts }],
    kept: [{ reason: 'main', conversations: 5 }],
    byMonth: [
      { month: '2026-10', usd: null, costUsd: 2 },
      { month: '2026-11', usd: saved(1.5, 1, 2), costUsd: 10 },
    ],
  },
  items: [
    { traceId: 'a'.repeat(26), title: 'Fix it', at: null, costUsd: 6, kinds: ['subagent'], rereadUsd: 0, ...amounts },
    { traceId: 'b'.repeat(26), title: null, at: null, costUsd: null, kinds: ['one_turn'], rereadUsd: null, ...amounts, usd: null },
    {
      traceId: 'c'.repeat(26),
      title: 'Slow',
      at: null,
      costUsd: 1,
      kinds: ['subagent'],
      rereadUsd: 0,
      ...amounts,
      usd: saved(-0.02, -0.05, 0.01),
    },
  ],
  nextCursor: null,
  total: 3,
}

it('says what would have been, with the interval of the proof, and what is not known', async () => {
  vi.spyOn(api, 'getSavings').mockResolvedValue(FULL)
  showPart(<SavingsSection />)
  const link = await screen.findByText('Fix it')
  expect(link.closest('a')?.getAttribute('href')).toBe(`/traces?id=${'a'.repeat(26)}`)
  const rows = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.lastElementChild?.textContent)
  expect(rows).toEqual(['$1.50 ($1.00 to $2.00)', '–', '−$0.020 (−$0.050 to $0.010)'])
  const text = screen.getByRole('region').textContent
  expect(text).toContain('$1.50would have been saved of $12.00; with 95 % confidence $1.00 to $2.00')
  expect(text).toContain('would have taken 1 m 00 s (59.0 s to 1 m 01 s) longer')
  expect(text).toContain('1 conversation with an unknown cost')
  expect(screen.getByRole('img', { name: '2026-10: would have saved an unknown amount of $2.00' })).toBeTruthy()
})
