import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { DatasetPlan, DatasetRecipe } from '#contracts/entities/dataset.ts'
import { api } from '#renderer/api/client.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { useSettled } from '#renderer/ui/use-settled.ts'
import { dropWords } from '../words.ts'

/** The sessions that the recipe would select now. */
export function useDatasetPlan(recipe: DatasetRecipe | null) {
  const text = useSettled(recipe === null ? null : JSON.stringify(recipe))
  return useQuery({
    queryKey: [...datasetKeys.all, 'plan', text],
    queryFn: ({ signal }) => api.planDataset({ body: JSON.parse(text!) as DatasetRecipe, signal }), // stringified above
    enabled: text !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** The selected sessions by tier, and why others are excluded. */
export function PlannedSessions({
  plan,
  error,
  onlyImported,
}: {
  plan: DatasetPlan | undefined
  error: Error | null
  onlyImported: boolean
}) {
  if (error) return <p className="text-sm text-bad">{error.message}</p>
  if (!plan) return <p className="text-sm text-second">Counting sessions …</p>
  if (onlyImported) return <p className="text-sm text-second">No sessions, only imported rows.</p>
  if (plan.matching === 0)
    return (
      <p role="status" className="text-sm">
        No sessions match. Change the filter in the recipe, or import sessions in <TextLink href="/traces">Traces</TextLink>.
      </p>
    )
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>
          <b>{plural(plan.sessions, 'session')}</b>
          {plan.matching === plan.sessions ? '' : ` of ${formatCount(plan.matching)} that match`}
        </span>
        {plan.tiers.map(({ tier, count }) => (
          <span key={tier} className="flex items-center gap-1.5">
            <TierMark mark={tier} word /> {formatCount(count)}
          </span>
        ))}
      </p>
      {plan.left.length > 0 ? (
        <p className="text-second">
          Left out: {plan.left.map(({ reason, count }) => `${formatCount(count)} ${dropWords(reason)}`).join(', ')}.
        </p>
      ) : null}
    </div>
  )
}
