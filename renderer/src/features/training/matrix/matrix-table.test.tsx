import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Run } from '#contracts/entities/run.ts'
import { MatrixTable } from './matrix-table.tsx'

const RUN = { id: 'a', no: 1, name: 'one', state: 'completed', strategy: 'sft', step: 4, loss: 2, evalLoss: null, metrics: {}, error: null, request: {}, settings: { evalSteps: 10, heldoutTasks: 100 }, matrix: { id: 'm', values: { learningRate: 0.001 } }, trainSec: 1, workingSince: null } as unknown as Run // prettier-ignore
const columnsOf = (...runs: Run[]): string[] => {
  cleanup()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MatrixTable runs={runs} />
    </QueryClientProvider>,
  )
  return screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
}
const START = ['Run', 'Learning rate', 'State', 'Steps', 'Loss']

test('a held-out figure that was measured on other answers does not stand beside the first', () => {
  const measured = { ...RUN, evalLoss: 1.5, datasetId: 'd1' } as Run
  columnsOf(measured, { ...measured, id: 'b', evalLoss: 1.25 }, { ...measured, id: 'c', datasetId: 'd2', evalLoss: 0.5 })
  const figures = screen.getAllByRole('row').slice(1).map((row) => [...row.querySelectorAll('td, th')].at(-2)?.textContent) // prettier-ignore
  expect(figures).toEqual(['1.5', '1.25', 'measured on other answers'])
})

test('a matrix has columns for the figures that its runs measure or can measure', () => {
  const onTasks = { ...RUN, strategy: 'grpo', request: { shellTasks: { split: 'train', heldout: 'test' } } } as Run
  expect(columnsOf(RUN)).toEqual([...START, 'Eval loss', 'Time'])
  expect(columnsOf({ ...RUN, settings: { ...RUN.settings, evalSteps: null } })).toEqual([...START, 'Time'])
  expect(columnsOf({ ...RUN, strategy: 'rlvr' })).toEqual([...START, 'Reward', 'Time'])
  expect(columnsOf(onTasks)).toEqual([...START, 'Reward', 'Held-out success (95 %)', 'Time'])
  expect(columnsOf(RUN, onTasks)).toEqual([...START, 'Eval loss', 'Reward', 'Held-out success (95 %)', 'Time'])
})
