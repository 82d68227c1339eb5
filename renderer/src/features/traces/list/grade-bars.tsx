import { useAgreement } from '#renderer/api/answers.ts'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'

const HEIGHT = 22
const FIFTHS = ['0..0.2', '0.2..0.4', '0.4..0.6', '0.6..0.8', '0.8..1'] as const

/** Sessions by the grade of a model, shown only where there are some; a click narrows the list to a fifth. */
export function GradeBars({
  counts,
  chosen,
  onChoose,
}: {
  counts: readonly number[]
  chosen: readonly string[]
  onChoose: (range: string | null) => void
}) {
  const agreement = useAgreement().data?.items ?? []
  const most = Math.max(1, ...counts)
  const usable = agreement.filter(({ state }) => state === 'usable').length
  const unreliable = agreement.filter(({ state }) => state === 'unreliable').length
  const note =
    usable + unreliable === 0
      ? 'agreement with your labels: not measured'
      : `agreement with your labels: usable for ${usable}, not to be relied on for ${unreliable} of ${usable + unreliable} measured`
  return (
    <div
      role="group"
      aria-label="Sessions by grade"
      className="flex flex-wrap items-end gap-x-3 gap-y-1 border-b border-line px-4 pt-1 pb-1 text-xs text-second"
    >
      <span>Grades 0 to 1</span>
      <span className="flex w-40 items-end gap-px border-b border-edge" style={{ height: HEIGHT }}>
        {counts.map((count, at) => {
          const range = FIFTHS[at]!
          const isChosen = chosen.includes(range)
          return (
            <button
              key={range}
              type="button"
              disabled={count === 0}
              aria-pressed={isChosen}
              title={`${range.replace('..', ' to ')}: ${plural(count, 'session')}`}
              aria-label={`Grade ${range.replace('..', ' to ')}: ${plural(count, 'session')}`}
              onClick={() => onChoose(isChosen ? null : range)}
              className={cn(
                'focus-inset flex h-full flex-1 flex-col-reverse hover:bg-raised',
                isChosen && 'bg-raised outline-1 outline-accent',
              )}
            >
              {count > 0 ? (
                <span
                  aria-hidden
                  className="w-full"
                  style={{ height: Math.max(2, (count / most) * HEIGHT), background: 'var(--series-1)' }}
                />
              ) : null}
            </button>
          )
        })}
      </span>
      <span>{note}</span>
    </div>
  )
}
