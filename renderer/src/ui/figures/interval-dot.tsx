const HEIGHT = 20
const MIDDLE = HEIGHT / 2
const NO_TICKS: readonly number[] = []
const percent = (share: number) => `${share * 100}%`

/** A value as a dot on its interval, as shares of the width. Without `label` it is hidden from screen readers. */
export const IntervalDot = ({
  at,
  interval,
  ticks = NO_TICKS,
  label,
}: {
  at: number | null
  interval: readonly [low: number, high: number] | null
  /** Shares of the width that are marked on the line. */
  ticks?: readonly number[]
  label?: string
}) => (
  <span className="block px-2">
    <svg
      width="100%"
      height={HEIGHT}
      className="block overflow-visible"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <line x1="0" x2="100%" y1={MIDDLE} y2={MIDDLE} stroke="var(--line)" />
      {ticks.map((tick) => (
        <line key={tick} x1={percent(tick)} x2={percent(tick)} y1={MIDDLE - 4} y2={MIDDLE + 4} stroke="var(--second)" />
      ))}
      {interval === null ? null : (
        <line x1={percent(interval[0])} x2={percent(interval[1])} y1={MIDDLE} y2={MIDDLE} stroke="var(--series-1)" strokeWidth={3} />
      )}
      {at === null ? null : <circle cx={percent(at)} cy={MIDDLE} r={5} fill="var(--series-1)" stroke="var(--bg)" strokeWidth={1.5} />}
    </svg>
  </span>
)
