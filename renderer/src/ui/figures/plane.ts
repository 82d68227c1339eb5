// shared by all charts with axes; colours are tokens, which follow the theme
const tick = { fontSize: 12, fill: 'var(--second)' }

export const GRID = { vertical: false, stroke: 'var(--line)' }
export const X_AXIS = { tick, tickLine: false, axisLine: { stroke: 'var(--edge)' } }
export const Y_AXIS = { tick, tickLine: false, axisLine: false }

/** The unit, along the y axis. */
export const unitLabel = (unit: string) => ({
  value: unit,
  angle: -90,
  position: 'insideLeft' as const,
  style: { ...tick, textAnchor: 'middle' as const },
})

/** The tooltip. */
export const WORDS = {
  isAnimationActive: false,
  contentStyle: {
    background: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: 6,
    fontSize: 12,
    color: 'var(--text)',
  },
  itemStyle: { color: 'var(--text)', padding: 0 },
}
