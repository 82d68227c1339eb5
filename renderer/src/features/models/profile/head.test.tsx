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

/** A server whose mod is installed or not; returns what was sent to change something. */
function answering(installed: boolean): unknown[] {
  const sent: unknown[] = []
  const answers: Record<string, object> = {
    '/api/router/status': { student: null, mod: { installed } },
    '/api/router/mod/preview?action=install': { files: [{ path: '/home/me/register.js', before: null, after: 'on()' }] },
  }
  vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body?: string }) => {
    if (method.toUpperCase() !== 'GET') sent.push([path, JSON.parse(body ?? '')])
    return Promise.resolve(Response.json(answers[path] ?? { settings: {}, environment: [], storedIn: '', items: [] }))
  })
  return sent
}
const chosen = ['/api/settings', { router: { studentModel: 'm1', studentAddress: '' } }]

it('puts a proven model to work in Claude Code with one click, and offers that for no other', async () => {
  const sent = answering(true)
  const { unmount } = showPart(<Head model={modelWith('not_proven')} tab="overview" />)
  expect(button()).toBe(null)
  unmount()
  showPart(<Head model={modelWith('ship')} tab="overview" />)
  await waitFor(() => expect(button()!.getAttribute('aria-busy')).toBe(null))
  fireEvent.click(button()!)
  await waitFor(() => expect(sent).toEqual([chosen]))
})

it('without the mod, the click shows its files, and the next one writes them and chooses the model', async () => {
  const sent = answering(false)
  showPart(<Head model={modelWith('ship')} tab="overview" />)
  await waitFor(() => expect(button()!.getAttribute('aria-busy')).toBe(null))
  fireEvent.click(button()!)
  expect(await screen.findByText('/home/me/register.js')).toBeTruthy()
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Install the mod and use it' }))
  await waitFor(() => expect(sent).toEqual([['/api/router/mod/install', {}], chosen]))
})
