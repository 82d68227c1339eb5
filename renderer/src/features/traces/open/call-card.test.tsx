import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { traceKeys } from '#renderer/api/traces.ts'
import { scoringKeys } from '#renderer/api/scoring.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { aStep } from '../fixtures.ts'
import { CallCard } from './call-card.tsx'

/** No command is marked, and no request is sent. `guessed`: the step is a check that was recognised by a keyword. */
const queries = (guessed = false) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(scoringKeys.commandOverrides, { items: [] })
  client.setQueryData(traceKeys.one('t'), { score: { evidence: guessed ? [{ step: 'guessed', guessed }] : [] } })
  return client
}

const show = (
  part: Parameters<typeof aStep>[0],
  options: { live?: boolean; collapsed?: boolean; answer?: string; guessed?: boolean } = {},
) =>
  showPart(
    <CallCard
      traceId="t"
      step={aStep(part)}
      live={options.live ?? false}
      collapsed={options.collapsed ?? false}
      subagent={null}
      answer={options.answer ?? null}
      agentFolded={false}
      onFoldAgent={() => undefined}
    />,
    queries(options.guessed),
  )

describe('the card of a call', () => {
  it('shows command, exit state and output of a shell call', () => {
    show({ command: 'npm test', output: '\u001b[31mFAIL\u001b[0m add', success: false, exitCode: 1 })
    expect(screen.getByText('npm test')).toBeTruthy()
    expect(screen.getByText('exit 1')).toBeTruthy()
    expect(screen.getByText('FAIL').className).toContain('text-bad')
  })

  it('asks whether a command is a test only where that was guessed; the rest is in the menu', () => {
    show({ command: 'ls' })
    expect(screen.queryByRole('button', { name: 'Not a test command' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Command options' })).toBeTruthy()
    cleanup()
    show({ id: 'guessed', command: './check-all' }, { guessed: true })
    expect(screen.getByRole('button', { name: 'Not a test command' })).toBeTruthy()
  })

  it('clips a long output and shows all of it on request', () => {
    show({ output: Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n') })
    expect(screen.queryByText(/line 250\b/)).toBeNull()
    fireEvent.click(screen.getByText('460 lines hidden · show all'))
    expect(screen.getByText(/line 250\b/)).toBeTruthy()
  })

  it('shows an edit as a diff with signs that need no colour', () => {
    show({ tool: 'Edit', command: null, file: '/home/dev/project/a.ts', input: { old_string: 'one', new_string: 'two' } })
    expect(screen.getByRole('img', { name: '1 lines added, 1 removed' })).toBeTruthy()
    expect(screen.getByText('added').textContent).toBe('added')
  })

  it('says rejected, running and without an answer in words', () => {
    show({ success: null, exitCode: null, rejected: true, rejectedBy: 'user' })
    expect(screen.getByText('rejected by you')).toBeTruthy()
    cleanup()
    show({ success: null, exitCode: null, answered: false, output: null }, { live: true })
    expect(screen.getByText('running')).toBeTruthy()
    cleanup()
    show({ success: null, exitCode: null, answered: false, output: null })
    expect(screen.getByText('no answer recorded')).toBeTruthy()
  })

  it('is one line when everything is collapsed, unless it failed', () => {
    show({ output: 'fine' }, { collapsed: true })
    expect(screen.queryByText('fine')).toBeNull()
  })

  it('shows the answer of a sub-agent, once', () => {
    const task = { tool: 'Task', command: null, input: { prompt: 'Count them' } }
    show({ ...task, output: 'There are **three**.\n\nagentId: a1' }, { answer: 'There are **three**.' })
    expect(screen.getByRole('region', { name: 'Sub-agent answer' }).textContent).toBe('AnswerThere are three.')
    expect(screen.queryByText(/agentId/)).toBeNull()
    cleanup()
    show({ ...task, output: 'Started in the background.' }, { answer: 'Three.' })
    expect(screen.getByText('Three.')).toBeTruthy()
    expect(screen.getByText('Started in the background.')).toBeTruthy()
  })
})
