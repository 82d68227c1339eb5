import type { ReactNode } from 'react'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'

interface Props {
  title: string
  about: ReactNode
  /** What is shown of the plan, and whether it is that of an earlier form. */
  plan: ReactNode
  isOld: boolean
  start: { label: string; failed: string; error: Error | null; isBusy: boolean; go: () => void }
  /** Why it cannot be started now. */
  reason: string | null
  children: ReactNode
}

/** A form, beside it what its start would do, and the start. */
export function StartPage({ title, about, plan, isOld, start, reason, children }: Props) {
  useTitle(title)
  const begin = () => {
    if (reason === null && !start.isBusy) start.go()
  }
  useKeys({ submit: begin })
  return (
    <div className="flex min-h-0 flex-1">
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-[820px] flex-col gap-5 px-6 py-5">
          <header>
            <h1 className="text-xl font-semibold">{title}</h1>
            <p className="text-sm text-second">{about}</p>
          </header>
          {children}
        </div>
      </div>
      <aside aria-label="Plan" className="flex w-[340px] shrink-0 flex-col border-l border-line bg-panel max-[1100px]:w-[300px]">
        <div
          role="region"
          aria-label="What this start would do"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
          className="focus-inset flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4"
        >
          <h2 className="text-lg font-semibold">Plan {isOld ? <span className="text-xs font-normal text-second">updating</span> : null}</h2>
          {plan}
        </div>
        <div className="flex flex-col gap-2 border-t border-line p-4">
          {start.error ? <ErrorState title={start.failed} error={start.error} /> : null}
          {reason === null ? null : <p className="line-clamp-3 text-xs text-second">{reason}</p>}
          <Button look="primary" keys={keyOf('submit')} reason={reason} busy={start.isBusy} onClick={begin}>
            {start.label}
          </Button>
        </div>
      </aside>
    </div>
  )
}

/** Why a start has to wait for its plan; null: it need not. */
export function planReason(plan: { refusals: readonly { message: string; hint: string | null }[] } | null, isOld: boolean): string | null {
  const refusal = plan?.refusals[0]
  if (refusal) return [refusal.message, refusal.hint].filter(Boolean).join(' ')
  return plan === null || isOld ? 'The plan is still being made.' : null
}
