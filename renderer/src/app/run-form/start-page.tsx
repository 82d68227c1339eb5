import type { ReactNode } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '../keymap.ts'
import { PlanState, StartFrame } from '../start-frame.tsx'
import { useKeys } from '../use-keys.ts'
import type { Planned } from '../use-plan.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'

interface Refusable {
  refusals: readonly { message: string; hint: string | null }[]
}

interface Props<Plan> {
  title: string
  about: string
  /** Link to the list of earlier runs. */
  all: { href: string; label: string }
  planned: Planned<Plan>
  refusable: (plan: Plan) => Refusable
  /** What the user must fill in or correct before a plan can be made. */
  wants: string | null
  /** A sentence about what the plan will show. */
  shows: string
  parts: (plan: Plan) => ReactNode
  start: { label: string; failed: string; error: Error | null; isPending: boolean; go: () => void }
  /** What the user must fill in before the start, but not for the plan. */
  missing?: string | null
  children: ReactNode
}

/** A form with a plan next to it and a start button. */
export function StartPage<Plan>(props: Props<Plan>) {
  const { title, about, all, planned, refusable, wants, shows, parts, start, missing = null, children } = props
  const { plan, error, isOld } = planned
  const offline = useOfflineReason()
  const reason = offline ?? missing ?? wants ?? error?.message ?? planReason(plan === null ? null : refusable(plan), isOld)
  const begin = () => {
    if (reason === null && !start.isPending) start.go()
  }
  useKeys({ submit: begin })
  return (
    <StartFrame
      title={title}
      about={
        <>
          {about} <TextLink href={all.href}>{all.label}</TextLink>
        </>
      }
      planLabel="What this start would do"
      isOld={plan !== null && isOld}
      plan={
        <PlanState planned={planned} wants={wants === null ? null : `${wants} ${shows}`}>
          {parts}
        </PlanState>
      }
      foot={
        <>
          {start.error ? <ErrorState title={start.failed} error={start.error} /> : null}
          {reason === null ? null : <p className="line-clamp-3 text-xs text-second">{reason}</p>}
          <Button look="primary" keys={keyOf('submit')} reason={reason} busy={start.isPending} onClick={begin}>
            {start.label}
          </Button>
        </>
      }
    >
      {children}
    </StartFrame>
  )
}

/** Why the plan does not allow a start now. */
function planReason(plan: Refusable | null, isOld: boolean): string | null {
  const refusal = plan?.refusals[0]
  if (refusal) return [refusal.message, refusal.hint].filter(Boolean).join(' ')
  return plan === null || isOld ? 'The plan is still being made.' : null
}
