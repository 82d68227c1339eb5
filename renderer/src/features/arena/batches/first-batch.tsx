import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { LINE } from './line.ts'
import { NewBatchLink } from './new-batch-link.tsx'

const COMMAND = 'bashgym batch tasks.jsonl --output results --attempts 3'

/** Before the first batch: what it is for, and how one is begun. */
export const FirstBatch = () => (
  <EmptyState title="No batches yet" ghost={<Ghost />} action={<NewBatchLink />}>
    <p>
      A batch gives many tasks to an agent, each in one or more attempts in sandboxes of their own, and tells which share of them passes its
      checks, with an interval. So you can tell whether one model does better than another on your work.
    </p>
    <p className="mt-3 mb-2">Tasks are lines of JSON, of which only &quot;prompt&quot; must be there, or sessions that are done again:</p>
    <CodeBlock label="a line of tasks.jsonl" text={LINE} wrap className="text-left" />
    <p className="mt-3 mb-2">The same in a terminal:</p>
    <CodeBlock label="the command" text={COMMAND} wrap className="text-left" />
  </EmptyState>
)

/** The shape of rates with their intervals. */
const Ghost = () => (
  <svg width={260} height={72} viewBox="0 0 260 72">
    {[
      [14, 60, 150, 96],
      [36, 110, 210, 170],
      [58, 30, 120, 70],
    ].map(([y, low, high, middle]) => (
      <g key={y}>
        <path d={`M10 ${y}H250`} stroke="var(--edge)" />
        <path d={`M${low} ${y}H${high}`} stroke="var(--series-1)" strokeWidth={3} />
        <circle cx={middle} cy={y} r={5} fill="var(--series-1)" />
      </g>
    ))}
  </svg>
)
