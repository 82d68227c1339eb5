import { expect, it, vi } from 'vitest'

vi.mock('electron', () => ({ dialog: {} }))
const { howToLeave } = await import('./leave.ts')

const runs = [{ id: 'a', title: 'Fix it' }]

it.each([
  ['pauses them', 0, 'quit', []],
  ['leaves them running', 1, 'hide', []],
  ['stops them', 2, 'quit', runs],
  ['cancels', 3, 'stay', []],
])('asks about working agents: the user %s', async (_, answer, leaving, stopped) => {
  const stopRuns = vi.fn(() => Promise.resolve())
  const ask = vi.fn(() => Promise.resolve(answer))
  expect(await howToLeave({ activeRuns: () => Promise.resolve(runs), stopRuns }, ask)).toBe(leaving)
  expect(stopRuns.mock.calls).toEqual(stopped.length === 0 ? [] : [[stopped]])
  expect(ask).toHaveBeenCalledWith(expect.objectContaining({ message: 'An agent is working.' }))
})

it('does not ask if nothing works, or the server does not answer', async () => {
  const ask = vi.fn(() => Promise.resolve(3))
  const stopRuns = () => Promise.resolve()
  expect(await howToLeave({ activeRuns: () => Promise.resolve([]), stopRuns }, ask)).toBe('quit')
  expect(await howToLeave({ activeRuns: () => Promise.reject(new Error('gone')), stopRuns }, ask)).toBe('quit')
  expect(ask).not.toHaveBeenCalled()
})

it('says which agents could not be stopped, and what happens to them', async () => {
  const stopRuns = () => Promise.reject(new Error('• Fix it: The server answered 500.'))
  const backend = { activeRuns: () => Promise.resolve(runs), stopRuns }
  const ask = vi.fn(({ choices }: { choices: readonly string[] }) => Promise.resolve(choices.length === 2 ? 1 : 2))
  expect(await howToLeave(backend, ask)).toBe('stay')
  expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ detail: expect.stringContaining('• Fix it') as string }))
  ask.mockImplementation(({ choices }) => Promise.resolve(choices.length === 2 ? 0 : 2))
  expect(await howToLeave(backend, ask)).toBe('quit')
})
