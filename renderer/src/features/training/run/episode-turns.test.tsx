import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PlayedEpisode } from '#contracts/trainer.ts'
import { EpisodeTurns } from './episode-turns.tsx'

const EPISODE: PlayedEpisode = {
  taskId: 't1',
  status: 'ok',
  how: 'turns',
  success: false,
  error: null,
  turns: [
    { command: 'cat x', output: 'no such file', exitCode: 1 },
    { command: 'touch x', output: '', exitCode: 0 },
  ],
}

test('an attempt shows its outcome and opens turn by turn', () => {
  render(<EpisodeTurns episode={EPISODE} rewards={{ reward: -0.02, turns: 2 }} />)
  expect(screen.getByText('Not solved, at the limit of turns: 2 turns')).toBeTruthy()
  const [first, second] = screen.getAllByRole('listitem', { hidden: true })
  expect(within(first!).getByText('no such file')).toBeTruthy()
  expect(within(first!).getByText('exit code 1')).toBeTruthy()
  expect(second!.textContent).toBe('$ touch x')
})

test('an attempt that could not run shows the reason and is not called unsolved', () => {
  render(
    <EpisodeTurns
      episode={{ ...EPISODE, status: 'error', how: 'error', success: null, error: 'The connection was lost.', turns: [] }}
      rewards={{}}
    />,
  )
  expect(screen.getByText('Error: 0 turns')).toBeTruthy()
  expect(screen.getByText('The connection was lost.')).toBeTruthy()
})

test('a long attempt shows the number of turns from its reward', () => {
  render(<EpisodeTurns episode={EPISODE} rewards={{ reward: -0.4, turns: 130 }} />)
  expect(screen.getByText('Not solved, at the limit of turns: 130 turns')).toBeTruthy()
  expect(screen.getByText('Only the first 2 turns are shown.')).toBeTruthy()
})
