import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ModelWork } from '#contracts/entities/router.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { AtWork } from './at-work.tsx'

it('says what a model did in Claude Code, with a link to its sessions', async () => {
  const work: ModelWork = {
    steps: 12,
    failed: 1,
    agents: 3,
    sessions: 2,
    tokens: 4000,
    answers: 5,
    fallbacks: 1,
    lastAt: '2026-11-29T00:00:00.000Z',
  }
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string) => (asked.push(path), Promise.resolve(Response.json(work))))
  showPart(<AtWork id="m1" />)
  expect(await screen.findByText('12 answered for 3 tasks')).toBeTruthy()
  expect(screen.getByRole('link', { name: '2 captured sessions' }).getAttribute('href')).toBe('/traces?q=is%3Aused')
  expect(asked).toEqual(['/api/router/work/m1'])
})
