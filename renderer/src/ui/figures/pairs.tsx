interface Pair {
  id: string
  /** From 0 to 1. */
  from: number
  to: number
}

const MOST_PX = 360
const ROW_PX = 12
const PAD = 6
const percent = (share: number) => `${share * 100}%`
const COLOURS = { fell: 'var(--bad)', rose: 'var(--ok)', stayed: 'var(--edge)' }

/** Pairs of shares, a row each: a line from a ring to a dot. Hidden from screen readers: `Figure` has the same as a table. */
export const Pairs = ({ pairs, names }: { pairs: readonly Pair[]; names: { from: string; to: string } }) => {
  const step = Math.min(ROW_PX, MOST_PX / pairs.length)
  const radius = Math.max(1, Math.min(4, step / 2 - 0.5))
  const height = step * pairs.length + 2 * PAD
  return (
    <div aria-hidden className="flex flex-col gap-1 px-2">
      <svg width="100%" height={height} className="block overflow-visible">
        {EDGES.map((edge) => (
          <line key={edge} x1={percent(edge)} x2={percent(edge)} y1={0} y2={height} stroke="var(--line)" />
        ))}
        {pairs.map(({ id, from, to }, index) => {
          const y = PAD + step * (index + 0.5)
          const colour = COLOURS[to < from ? 'fell' : to > from ? 'rose' : 'stayed']
          return (
            <g key={id} stroke={colour}>
              <line x1={percent(from)} x2={percent(to)} y1={y} y2={y} strokeWidth={Math.max(1, radius / 2)} />
              <circle cx={percent(from)} cy={y} r={radius} fill="var(--bg)" />
              <circle cx={percent(to)} cy={y} r={radius} fill={colour} />
            </g>
          )
        })}
      </svg>
      <p className="flex justify-between text-xs text-second">
        <span>0</span>
        <span>{`○ ${names.from} ● ${names.to}`}</span>
        <span>1</span>
      </p>
    </div>
  )
}

const EDGES = [0, 0.5, 1]
