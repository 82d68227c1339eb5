/** A curve of a word's width, without axes. Gaps stay gaps. */
export function Spark({
  values,
  label,
  ink = 'var(--second)',
  width = 64,
  height = 18,
}: {
  values: readonly (number | null)[]
  label: string
  ink?: string
  width?: number
  height?: number
}) {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value))
  if (known.length < 2) return <span style={{ width }} className="inline-block" />
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="shrink-0">
      <path d={sparkPath(values, known, width, height)} fill="none" stroke={ink} strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  )
}

function sparkPath(values: readonly (number | null)[], known: readonly number[], width: number, height: number): string {
  const [low, high] = [Math.min(...known), Math.max(...known)]
  let isDrawing = false
  return values
    .map((value, at) => {
      if (value === null || !Number.isFinite(value)) {
        isDrawing = false
        return ''
      }
      const x = 1 + (at / (values.length - 1)) * (width - 2)
      const y = high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4)
      const command = isDrawing ? 'L' : 'M'
      isDrawing = true
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
