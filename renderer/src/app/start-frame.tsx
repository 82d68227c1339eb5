import type { ReactNode } from 'react'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import type { Planned } from './use-plan.ts'

/** A form with the plan of what starting it would do, and the buttons that start it. */
export function StartFrame({
  title,
  heading = title,
  about,
  planLabel,
  isOld,
  plan,
  foot,
  children,
}: {
  /** Title of the window, and of the page if there is no `heading`. */
  title: string
  heading?: string
  about: ReactNode
  planLabel: string
  /** The plan belongs to an earlier state of the form. */
  isOld: boolean
  plan: ReactNode
  foot: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  return (
    <div className="flex min-h-0 flex-1">
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[820px]">
          <PageHead heading={heading} summary={about} />
          <div className="flex flex-col gap-5 px-6 pt-2 pb-5">{children}</div>
        </div>
      </div>
      <aside aria-label="Plan" className="flex w-[340px] shrink-0 flex-col border-l border-line bg-panel max-[1100px]:w-[300px]">
        <ScrollRegion label={planLabel} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
          <h2 className="text-lg font-semibold">Plan {isOld ? <span className="text-xs font-normal text-second">updating</span> : null}</h2>
          {plan}
        </ScrollRegion>
        <div className="flex flex-col gap-2 border-t border-line p-4">{foot}</div>
      </aside>
    </div>
  )
}

/** The plan, or why there is none yet: an incomplete form, an error, loading. */
export function PlanState<Plan>({
  planned: { plan, error, isOld, refetch },
  wants,
  children,
}: {
  planned: Planned<Plan>
  /** What the form still needs before there can be a plan, and what that will show. */
  wants: string | null
  children: (plan: Plan) => ReactNode
}) {
  if (wants !== null) return <p className="text-sm text-second">{wants}</p>
  if (error) return <ErrorState title="No plan" error={error} retry={() => void refetch()} />
  if (plan === null) {
    return (
      <Loading label="Making the plan" className="flex flex-col gap-3">
        <Skeleton className="w-full" />
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-16 w-full" />
      </Loading>
    )
  }
  return (
    <div className="flex flex-col gap-4 text-sm" aria-busy={isOld || undefined}>
      {children(plan)}
    </div>
  )
}
