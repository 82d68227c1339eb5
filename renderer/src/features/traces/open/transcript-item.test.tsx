import { expect, it } from 'vitest'
import type { TranscriptItem } from '#contracts/entities/step.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { aRow, aStep } from '../fixtures.ts'
import { Item } from './transcript-item.tsx'

const shown = (item: TranscriptItem): string => {
  const row = aRow({ kind: item.kind, agent: 'main' })
  const props = { traceId: 't', depth: 0, live: false, collapsed: true, selected: false, turn: null, subagent: null, answer: undefined }
  const { container } = showPart(
    <Item {...props} row={row} item={item} agentFolded={false} words="" secrets={[]} onFoldAgent={() => {}} onSelect={() => {}} />,
  )
  return container.textContent ?? ''
}
const text = (part: object): TranscriptItem => ({
  kind: 'text',
  id: 'x',
  position: '1',
  at: null,
  agent: 'main',
  label: null,
  text: 'Hello.',
  truncated: false,
  model: null,
  messageId: null,
  asks: null,
  abandoned: false,
  byMod: false,
  ...part,
})

it('shows what was abandoned, and who answered', () => {
  expect(shown(text({}))).toBe('Hello.')
  expect(shown(text({ kind: 'prompt', abandoned: true }))).toContain('Abandoned')
  expect(shown(text({ byMod: true }))).toContain('Answered by a mod')
  expect(shown(text({ byMod: true, answeredBy: { modelId: 'm', certificate: null } }))).toBe('Answered by your modelHello.')
  expect(shown({ kind: 'step', id: 's', position: '2', step: aStep({ byMod: true, abandoned: true }) })).toContain(
    'AbandonedAnswered by a mod',
  )
})
