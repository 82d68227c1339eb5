import type { MatrixPlan } from '#contracts/entities/run-matrix.ts'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { formatBytes, formatDuration, plural } from '#renderer/ui/format.ts'

/** The plan of all combinations. */
export function MatrixRail({ plan, isOld }: { plan: MatrixPlan | null; isOld: boolean }) {
  if (!plan) return <p className="text-sm text-second">Planning every combination.</p>
  const refused = plan.runs.filter(({ refusals }) => refusals.length > 0)
  return (
    <section aria-label="Several values" aria-busy={isOld || undefined} className="flex flex-col gap-1 border-b border-line pb-3 text-sm">
      <h3 className="text-base font-semibold">
        {plural(plan.runs.length, 'run')}
        {refused.length === 0 ? '' : `, ${plan.startable} can start`}
      </h3>
      <p className="text-xs text-second">
        Together:{' '}
        {plan.seconds === null
          ? 'time not measured'
          : `${formatDuration(plan.seconds.low * 1000)} to ${formatDuration(plan.seconds.high * 1000)}`}
        {plan.diskBytes === null ? '' : `, about ${formatBytes(plan.diskBytes)} of disk`}
        {plan.diskFreeBytes === null ? '' : ` (${formatBytes(plan.diskFreeBytes)} free)`}. The plan below is for the form without these
        values.
      </p>
      <ul className="flex flex-col gap-1">
        {refused.map(({ name, refusals }) => (
          <li key={name}>
            <span className="text-bad">{name}</span> <CodeText text={refusals[0]!.message} />
          </li>
        ))}
      </ul>
    </section>
  )
}
