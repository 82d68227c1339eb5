import { CircleAlert, CircleCheck, CircleDashed, History } from 'lucide-react'
import type { OutcomeFact } from '#contracts/entities/outcome.ts'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useRunningJob } from '#renderer/api/jobs.ts'
import { useLookUpOutcomes, useOutcome } from '#renderer/api/outcomes.ts'
import { stepHref, traceHref } from '#renderer/app/links.ts'
import { FACT_INKS, OUTCOME_WORDS } from '#renderer/app/words/outcomes.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Section } from './section.tsx'

const ICONS = { good: CircleCheck, bad: CircleAlert, open: CircleDashed, unknown: CircleDashed }

/** What happened after the session: facts with their evidence, beside the score. */
export function Afterwards({ trace: { id } }: { trace: TraceDetail }) {
  const offline = useOfflineReason()
  const outcome = useOutcome(id).data
  const lookUp = useLookUpOutcomes()
  const running = useRunningJob('outcomes')
  return (
    <Section title="Afterwards">
      {outcome ? (
        <>
          <p className="flex flex-wrap items-center gap-2 text-xs">
            <Badge tone={OUTCOME_WORDS[outcome.label].tone}>{OUTCOME_WORDS[outcome.label].label}</Badge>
            <span className="text-second">
              within {outcome.days} days, looked up <RelativeTime at={outcome.at} />; not in the score
            </span>
          </p>
          <ul className="flex flex-col gap-1 text-xs">
            {outcome.facts.map((fact) => (
              <Fact key={`${fact.kind} ${fact.sentence}`} fact={fact} id={id} />
            ))}
          </ul>
          {outcome.problem === null ? null : (
            <p className="text-xs break-words text-second">
              <Visible text={outcome.problem} />
            </p>
          )}
        </>
      ) : (
        <p className="text-xs text-second">
          Did its commits stay, were they reverted or fixed, did the next prompt complain? Its repository is read, and not changed.
        </p>
      )}
      <div>
        <Button
          size="small"
          icon={History}
          busy={lookUp.isPending || running !== null}
          reason={offline}
          onClick={() => lookUp.mutate({ ids: [id] })}
        >
          {outcome ? 'Look again' : 'Look up'}
        </Button>
      </div>
    </Section>
  )
}

function Fact({ fact: { result, sentence, at, traceId, stepId }, id }: { fact: OutcomeFact; id: string }) {
  const Icon = ICONS[result]
  const of = traceId ?? id
  const href = stepId === null ? (of === id ? null : traceHref(of)) : stepHref(of, stepId)
  return (
    <li className="flex items-start gap-2">
      <Icon size={14} aria-hidden className={cn('mt-0.5 shrink-0', FACT_INKS[result])} />
      <span className="min-w-0 break-words">
        <Visible text={sentence} /> {at === null ? null : <RelativeTime at={at} className="text-second" />}{' '}
        {href === null ? null : <TextLink href={href}>{of === id ? 'Show step' : 'Open session'}</TextLink>}
      </span>
    </li>
  )
}
