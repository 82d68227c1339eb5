import type { Run } from '#contracts/entities/run.ts'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'

/** How held-out calls are measured and the progress since the base model, or why they are not measured. */
export function NextCalls({ run }: { run: Run }) {
  const { nextCalls: asked, metrics } = run
  if (asked === null) return null
  if (asked.reason !== null) return <p className="text-sm text-second">Held-out calls are not measured. {asked.reason}</p>
  const { base } = asked
  return (
    <p className="text-sm text-second">
      Held-out calls: {plural(asked.answers, 'recorded answer')} asked for again at each evaluation, {formatCount(asked.withCalls)} of them
      calls
      {asked.maxTokens === null ? '' : `, in at most ${formatCount(asked.maxTokens)} tokens`}.{' '}
      {base === null
        ? null
        : `Argument F1 ${change(base['eval_arg_f1'], metrics['eval_arg_f1'])}, exact calls ${change(base['eval_exact_call'], metrics['eval_exact_call'])}.`}
      {asked.leftOut > 0 ? ` ${plural(asked.leftOut, 'answer')} did not fit the max length and were not chosen.` : ''}
    </p>
  )
}

type Share = number | null | undefined
const change = (before: Share, now: Share) => `${formatPercent(before)} with the base model, ${formatPercent(now)} now`
