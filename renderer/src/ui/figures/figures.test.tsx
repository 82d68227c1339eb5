import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Figure } from './figure.tsx'
import { Areas, Bars, Scatter } from './pictures.tsx'

// jsdom has no layout
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 200))
})

const WEEKS = [
  { label: '09-01', done: 3, open: 1 },
  { label: '09-08', done: 0, open: 2 },
  { label: '09-15', done: 5, open: 4 },
]
const SERIES = [
  { id: 'done', label: 'Done', color: 'var(--series-1)' },
  { id: 'open', label: 'Open', color: 'var(--series-2)' },
]
const count = (container: HTMLElement, part: string) => container.querySelectorAll(`path.recharts-${part}`).length

test('periods are drawn as bars or areas, each series in its colour', async () => {
  const bars = render(<Bars rows={WEEKS} series={SERIES} unit="tasks" />).container
  await waitFor(() => expect(count(bars, 'rectangle')).toBe(5)) // a count of 0 has no bar
  expect(bars.textContent).toContain('tasks')
  const areas = render(<Areas rows={WEEKS} series={SERIES} unit="tasks" />).container
  await waitFor(() => expect(count(areas, 'area-area')).toBe(2))
  expect([...areas.querySelectorAll('path.recharts-area-area')].map((area) => area.getAttribute('fill'))).toEqual([
    'var(--series-1)',
    'var(--series-2)',
  ])
})

test('points are joined in order, label the ends of both axes and can be opened', async () => {
  const opened: string[] = []
  const points = [
    { id: 'a', label: 'first', x: 10, y: 0.5 },
    { id: 'b', label: 'second', x: 20, y: 0.25 },
  ]
  const { container } = render(
    <Scatter joined points={points} formatX={(x) => `day:${x}`} formatY={(y) => `loss:${y}`} onOpen={(id) => opened.push(id)} />,
  )
  await waitFor(() => expect(container.querySelectorAll('.recharts-scatter-symbol')).toHaveLength(2))
  expect(container.querySelector('.recharts-scatter-line')).not.toBeNull()
  for (const words of ['day:10', 'day:20', 'loss:0.25', 'loss:0.5']) expect(container.textContent).toContain(words)
  fireEvent.click(container.querySelectorAll('.recharts-scatter-symbol')[1]!)
  expect(opened).toEqual(['b'])
})

test('a figure can be shown as a table of its values', () => {
  const table = {
    caption: 'Tasks by week',
    columns: [{ id: 'done', label: 'Done', cell: ({ done }: (typeof WEEKS)[number]) => done }],
    rows: WEEKS,
    keyOf: ({ label }: (typeof WEEKS)[number]) => label,
  }
  render(
    <Figure title="Tasks" summary="8 done." table={table}>
      <p>picture</p>
    </Figure>,
  )
  expect(screen.getByRole('figure', { name: 'Tasks. 8 done.' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }))
  expect(screen.getByRole('table', { name: 'Tasks by week' }).textContent).toBe('Tasks by weekDone305')
  expect(screen.queryByText('picture')).toBeNull()
})
