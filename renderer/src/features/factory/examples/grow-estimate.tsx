import { useId, useState } from 'react'
import type { AugmentEstimate, AugmentPlan } from '#contracts/entities/augment.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatCompact, formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { reasonWords } from './words.ts'

interface Props {
  estimate: AugmentEstimate
  make: AugmentPlan['make']
  busy: boolean
  onStart: (budget: RunBudget) => void
}
export type RunBudget = { budgetUsd: number } | { budgetTokens: number }

/** The exact requests, the estimated cost, and the budget. */
export function Estimate({ estimate, make, busy, onStart }: Props) {
  const id = useId()
  const offline = useOfflineReason()
  const inUsd = estimate.budget === 'usd'
  const [text, setText] = useState(inUsd ? ceilCents(estimate.max.costUsd ?? 0) : String(estimate.max.tokens))
  const amount = Number(text)
  const isValid = text.trim() !== '' && Number.isFinite(amount) && amount > 0 && (inUsd || Number.isInteger(amount))
  return (
    <Section title="Estimate">
      <Facts>
        <Fact name="Requests">
          {plural(estimate.requests, WORDS[make])} from {plural(estimate.examples, 'example')}
          {estimate.cached > 0 ? `; ${formatCount(estimate.cached)} already answered, at no cost` : ''}
        </Fact>
        <Fact name="Tokens, estimated">
          {formatCompact(estimate.tokens.input)} input, {formatCompact(estimate.tokens.output)} output; at most{' '}
          {formatCompact(estimate.max.tokens)}
        </Fact>
        <Fact name="Cost, estimated">
          {estimate.costUsd === null
            ? 'unknown: no price is set for this model'
            : `${formatUsd(estimate.costUsd)}; at most ${formatUsd(estimate.max.costUsd)}`}
        </Fact>
        {estimate.passedOver.map(({ reason, count }) => (
          <Fact key={reason} name="Excluded">
            {formatCount(count)}: {reasonWords(reason).label}
          </Fact>
        ))}
      </Facts>
      {estimate.samples.map((sample, index) => (
        <details key={`${sample.exampleId} ${sample.variant}`} className="rounded border border-line px-3 py-1.5" open={index === 0}>
          <summary className="min-h-6 text-xs text-second">
            Sample request {formatCount(index + 1)} of {formatCount(estimate.samples.length)}, exactly as sent to{' '}
            <span className="font-mono">{sample.url}</span>
          </summary>
          <CodeBlock text={readable(sample.body)} label={`Request ${index + 1}`} wrap className="max-h-72" />
        </details>
      ))}
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <label htmlFor={id}>Budget ({inUsd ? 'US dollars' : 'tokens'})</label>
        <TextInput
          id={id}
          inputMode="decimal"
          value={text}
          onChange={setText}
          aria-invalid={!isValid}
          className="w-28 text-right font-mono"
        />
        <Button
          look="primary"
          busy={busy}
          reason={
            offline ?? (isValid ? null : 'Enter a budget above 0.') ?? (estimate.requests === 0 ? 'There is nothing to generate.' : null)
          }
          onClick={() => onStart(inUsd ? { budgetUsd: amount } : { budgetTokens: amount })}
        >
          Generate {plural(estimate.requests, WORDS[make])}
        </Button>
        <span className="text-xs text-second">Stops before the budget is exceeded.</span>
      </div>
    </Section>
  )
}

const WORDS: Record<AugmentPlan['make'], string> = { variants: 'variant', tasks: 'task' }

const ceilCents = (usd: number) => (Math.ceil(usd * 100) / 100 || 0.01).toFixed(2)

/** Formats the body, which is sent on one line. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
