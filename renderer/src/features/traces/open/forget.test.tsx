import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { ForgetDialog } from './forget.tsx'

const trace = {
  id: 'a'.repeat(26),
  title: 'Fix the parser',
  raw: { bytes: 1_430_000, sha256: null, archivedAt: null },
  sources: [{}, {}],
  counts: { prompts: 1, abandonedTurns: 0, toolCalls: 201, failedToolCalls: 0, rejectedToolCalls: 0, subagents: 1, commits: 0 },
} as unknown as TraceDetail

it('names what is deleted, and deletes only after confirmation', async () => {
  const fetchMock = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(Response.json({ removed: true })))
  vi.stubGlobal('fetch', fetchMock)
  const onForget = vi.fn()
  showPart(<ForgetDialog trace={trace} open onOpenChange={() => undefined} onForget={onForget} />)
  expect(screen.getByRole('dialog').textContent).toContain('1.43 MB in 2 files with 201 calls and 1 sub-agent')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(fetchMock).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Forget session' }))
  expect(onForget).toHaveBeenCalledOnce()
  await expect.poll(() => fetchMock.mock.calls[0]).toMatchObject([`/api/traces/${trace.id}`, { method: 'DELETE' }])
})
