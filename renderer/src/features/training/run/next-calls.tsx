import type { Run } from '#contracts/entities/run.ts'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'

/** How held-out calls are measured and the progress since the base model, or why they are not measured. */
export function NextCalls({ run }: { run: Run }) {
  const { nextCalls, metrics } = run
  if (nextCalls === null) return null
  const { reason, base, answers, withCalls, maxTokens, leftOut } = nextCalls
  if (reason !== null) return <p className="text-sm text-second">Held-out calls are not measured. {reason}</p>
  return (
    <p className="text-sm text-second">
      Held-out calls: the model repeats {plural(answers, 'recorded answer')} at each evaluation, {formatCount(withCalls)} of them with calls
      {maxTokens === null ? '' : `, in at most ${formatCount(maxTokens)} tokens`}.{' '}
      {base === null
        ? null
        : `Argument F1 ${change(base['eval_arg_f1'], metrics['eval_arg_f1'])}, exact calls ${change(base['eval_exact_call'], metrics['eval_exact_call'])}.`}
      {leftOut > 0 ? ` ${plural(leftOut, 'answer')} did not fit the max length and were not chosen.` : ''}
    </p>
  )
}

type Share = number | null | undefined
const change = (base: Share, current: Share) => `${formatPercent(base)} with the base model, ${formatPercent(current)} now`
