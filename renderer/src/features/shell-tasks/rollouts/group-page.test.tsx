import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Episode, RolloutTask } from '#contracts/entities/rollout.ts'
import { api } from '#renderer/api/client.ts'
import GroupPage from './group-page.tsx'

const MADE = 'task-0123456789abcdef'
const EPISODE = { id: 's-0-1', taskId: MADE, group: 0, attempt: 1, status: 'ok', success: true, terms: null, reward: 1, advantage: 0, turns: 1, durationMs: 10, error: null, check: null } as unknown as Episode // prettier-ignore

test('a task without a split is titled by the first line of its text', async () => {
  const task = { id: MADE, split: null, task: 'Make the file a.\nIts text is one.' } as RolloutTask
  vi.spyOn(api, 'getRollouts').mockResolvedValue({ name: '1 task' } as never)
  vi.spyOn(api, 'listEpisodes').mockResolvedValue({ items: [EPISODE], nextCursor: null } as never)
  vi.spyOn(api, 'getEpisode').mockResolvedValue({ task, turns: [], isWhole: true } as never)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GroupPage id="s" group={0} />
    </QueryClientProvider>,
  )
  expect(await screen.findByRole('heading', { level: 1, name: 'Make the file a.' })).toBeTruthy()
})
