const WIDTH = 64
const HEIGHT = 18

/** The course of a loss in a word's width: no axis, so only its shape says something. Gaps stay gaps. */
export function Spark({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value))
  if (known.length < 2) return <span style={{ width: WIDTH }} className="inline-block" />
  const [lo, hi] = [Math.min(...known), Math.max(...known)]
  let path = ''
  let drawing = false
  values.forEach((value, at) => {
    if (value === null || !Number.isFinite(value)) {
      drawing = false
      return
    }
    const x = (at / (values.length - 1)) * (WIDTH - 2) + 1
    const y = hi === lo ? HEIGHT / 2 : HEIGHT - 2 - ((value - lo) / (hi - lo)) * (HEIGHT - 4)
    path += `${drawing ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
    drawing = true
  })
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className="shrink-0">
      <path d={path} fill="none" stroke="var(--series-1)" strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  )
}
