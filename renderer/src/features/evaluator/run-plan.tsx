import type { ReactNode } from 'react'
import type { ExamRunPlan } from '#contracts/entities/exam.ts'
import { signed } from '#contracts/exam-words.ts'
import { DASH, formatCompact, formatUsd, plural } from '#renderer/ui/format.ts'
import { NoteLine } from '#renderer/ui/note-line.tsx'

/** What a run would do, why it cannot start, and what is to be known. */
export const PlanBox = ({
  plan: { refusals, notes },
  children,
}: {
  plan: Pick<ExamRunPlan, 'refusals' | 'notes'>
  children: ReactNode
}) => (
  <section aria-label="Plan" className="flex flex-col gap-1 rounded border border-line bg-panel p-3 text-sm">
    {children}
    <ul className="flex flex-col gap-1">
      {refusals.map(({ message, hint }) => (
        <NoteLine key={message} level="refusal" message={message} hint={hint} />
      ))}
      {notes.map((message) => (
        <NoteLine key={message} level="info" message={message} />
      ))}
    </ul>
  </section>
)

/** What is asked of whom and what it costs, and why it cannot start. `sides`: the models that are asked. */
export const RunPlan = ({
  plan,
  sides,
  cost,
}: {
  plan: Omit<ExamRunPlan, 'against'>
  sides: readonly ExamRunPlan['model'][]
  cost: (most: string) => ReactNode
}) => (
  <PlanBox plan={plan}>
    <p>
      {plan.inputTokens === null || plan.mostOutputTokens === null
        ? `${plural(plan.requests, 'run')} of an agent; how many tokens they take is not known before.`
        : `${plural(plan.requests, 'request')}, about ${formatCompact(plan.inputTokens)} input tokens and at most ${formatCompact(plan.mostOutputTokens)} output tokens.`}{' '}
      {cost(
        plan.mostUsd === null ? `${DASH} (${plan.inputTokens === null ? 'set a limit' : 'a price is not known'})` : formatUsd(plan.mostUsd),
      )}
    </p>
    {[...new Set(sides.map(({ payer, receiver }) => `Who pays: ${payer} The recorded work goes to ${receiver}.`))].map((line) => (
      <p key={line} className="break-words text-second">
        {line}
      </p>
    ))}
    {plan.smallest === null ? null : (
      <p className="text-second">This exam usually shows a difference of {signed(plan.smallest)} or more.</p>
    )}
  </PlanBox>
)
