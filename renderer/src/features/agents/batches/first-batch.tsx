import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { LINE } from './line.ts'
import { NewBatchLink } from '../new-links.tsx'

const COMMAND = 'bashgym batch tasks.jsonl --output results --attempts 3'

export const FirstBatch = () => (
  <EmptyState title="No batches yet" ghost={<Ghost />} action={<NewBatchLink />}>
    <p>
      A batch gives many tasks to an agent, each in one or more attempts, and shows the share of attempts that pass their checks. Use it to
      compare models on your own work.
    </p>
    <p className="mt-3 mb-2">Tasks are repeated sessions or JSON lines. Only &quot;prompt&quot; is required:</p>
    <CodeBlock label="a line of tasks.jsonl" text={LINE} wrap className="text-left" />
    <p className="mt-3 mb-2">In a terminal:</p>
    <CodeBlock label="the command" text={COMMAND} wrap className="text-left" />
  </EmptyState>
)

/** A sketch of rates with their intervals. */
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
