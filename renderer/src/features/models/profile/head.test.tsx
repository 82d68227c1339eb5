import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ExamVerdict } from '#contracts/entities/evaluation.ts'
import type { Model } from '#contracts/entities/model.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { Head } from './head.tsx'

const modelWith = (verdict: ExamVerdict) =>
  ({
    id: 'm1',
    name: 'Mine',
    tags: [],
    artifacts: [],
    lineage: { strategy: 'sft', baseModel: 'base', datasetName: null, datasetId: null, mix: [], runId: 'r' },
    operational: { status: 'idle' },
    createdAt: '2026-11-29T00:00:00.000Z',
    evaluations: [
      {
        name: 'next_call.soft',
        value: 0.1,
        n: 24,
        at: '2026-11-29T00:00:00.000Z',
        exam: {
          examId: 'e',
          run: 'r',
          name: 'Exam',
          against: 'base',
          verdict,
          interval: null,
          standing: verdict === 'ship' ? 'proof' : 'counts',
        },
      },
    ],
  }) as unknown as Model // what the head reads

const button = () => screen.queryByRole('button', { name: 'Use it in Claude Code' })

it('puts a proven model to work in Claude Code with one click, and offers that for no other', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body?: string }) => {
    if (method.toUpperCase() === 'PATCH') sent.push([path, JSON.parse(body ?? '')])
    return Promise.resolve(Response.json({ settings: {}, environment: [], storedIn: '', items: [] }))
  })
  const { unmount } = showPart(<Head model={modelWith('not_proven')} tab="overview" />)
  expect(button()).toBe(null)
  unmount()
  showPart(<Head model={modelWith('ship')} tab="overview" />)
  fireEvent.click(button()!)
  await waitFor(() => expect(window.location.pathname).toBe('/settings/router'))
  expect(sent).toEqual([['/api/settings', { router: { studentModel: 'm1', studentAddress: '' } }]])
})
