import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Run, TrainingQueue } from '#contracts/entities/run.ts'
import { MESSAGES } from '#renderer/app/features.ts'
import { api } from '#renderer/api/client.ts'
import { createHandlers } from '#renderer/api/messages.ts'
import { ACTIVE_RUNS, runKeys } from '#renderer/api/runs.ts'
import { createQueryClient } from '#renderer/api/query-client.ts'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { QueueStrip } from './queue-strip.tsx'

const renderStrip = (queries: QueryClient) =>
  render(
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <QueueStrip />
      </TooltipProvider>
    </QueryClientProvider>,
  )

test('a queue paused by a failure shows which run failed, why, and what to do; a queue paused by the user does not', async () => {
  const queries = createQueryClient(() => undefined)
  const error = { code: 'diverged', message: 'Lower the learning rate.', row: null, logTail: '' }
  const failed = { id: 'f', name: 'too fast', state: 'failed', error } as Partial<Run>
  const queue: TrainingQueue = { paused: true, pausedBy: 'f', continueAfterFailure: false, order: ['n'] }
  queries.setQueryData(runKeys.queue, queue)
  queries.setQueryData(runKeys.one('f'), failed)
  queries.setQueryData(runKeys.list(ACTIVE_RUNS), { items: [{ id: 'n', name: 'next', state: 'queued' }], nextCursor: null, total: 1 })
  renderStrip(queries)
  expect(screen.getByRole('status').textContent).toBe(
    'The queue was paused because too fast failed: Lower the learning rate. Fix the cause, then resume the queue.',
  )
  expect(screen.getByRole('link', { name: 'too fast' }).getAttribute('href')).toBe('/training/f')
  const handlers = createHandlers(queries, MESSAGES)
  act(() => handlers['training:queue']({ ...queue, pausedBy: null }, ''))
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
  expect(screen.getByRole('region', { name: 'Queue' }).textContent).toContain('the queue is paused')
})

test('while the runs are loading, the queue says nothing about the device', () => {
  vi.spyOn(api, 'listRuns').mockReturnValue(new Promise(() => undefined))
  const queries = createQueryClient(() => undefined)
  queries.setQueryData(runKeys.queue, { paused: true, pausedBy: null, continueAfterFailure: true, order: ['n', 'm'] })
  renderStrip(queries)
  const text = screen.getByRole('region', { name: 'Queue' }).textContent
  expect(text).toContain('2 waiting; the queue is paused')
  expect(text).not.toContain('device')
})
