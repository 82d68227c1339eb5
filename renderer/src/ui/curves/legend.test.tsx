import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { STEP } from './axis.ts'
import { Legend } from './legend.tsx'
import { Series } from './series.ts'

test('the legend shows the value at the crosshair, and NaN in a gap', () => {
  const series = new Series()
  ;[4, Number.NaN, 8].forEach((value, at) => series.push({ step: at + 1, epoch: 0, tokens: 0, time: 0 }, value))
  const line = { id: 'a', label: 'training', ink: 'series-1' as const, dash: [], series, look: 'line' as const }
  const view = { axis: STEP, log: false, smoothing: 0, clip: null, range: null, window: null }
  const shown = [1, 2, 3].map((cursor) => {
    const { unmount } = render(<Legend lines={[line]} view={view} cursor={cursor} plot={null} />)
    const text = screen.getAllByRole('listitem')[0]!.textContent
    unmount()
    return text
  })
  expect(shown).toEqual(['training4', 'trainingNaN', 'training8'])
})
