import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { SECRET_TYPES, type PiiType } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { PII_ORDER } from '#renderer/app/words/privacy.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import type { PolicyPart } from './policy-part.ts'

const PERSONAL = PII_ORDER.filter((type) => !SECRET_TYPES.includes(type))
/** The highest threshold for secrets. */
const MAX_SECRET_THRESHOLD = 0.5
const RECOMMENDED = 0.5

/** How many findings a threshold would leave unchanged. */
function useAffectedFindings(threshold: number) {
  return useQuery({
    queryKey: privacyKeys.below(threshold),
    queryFn: async ({ signal }) => {
      const count = async (query: { type?: PiiType[]; belowConfidence?: number }) =>
        (await api.listFindings({ query: { ...query, limit: 1 }, signal })).total
      const [personal, secrets, all] = await Promise.all([
        count({ type: PERSONAL, belowConfidence: threshold }),
        count({ type: [...SECRET_TYPES], belowConfidence: Math.min(threshold, MAX_SECRET_THRESHOLD) }),
        count({}),
      ])
      return { below: personal + secrets, all }
    },
    placeholderData: (previous) => previous,
  })
}

export function PrivacyThreshold({ policy, offline, set }: PolicyPart) {
  const [draft, setDraft] = useState<number | null>(null)
  const value = draft ?? policy.confidenceThreshold
  const deferredValue = useDeferredValue(value)
  const affected = useAffectedFindings(deferredValue)
  const isChanged = value !== policy.confidenceThreshold
  return (
    <Section title="Confidence threshold" note="Findings below it are listed but not changed">
      <div className="flex flex-wrap items-center gap-4">
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={value}
          aria-label="Confidence threshold"
          aria-valuetext={formatScore(value)}
          onChange={(event) => setDraft(Number(event.target.value))}
          className="h-6 w-72 max-w-full accent-accent"
        />
        <span className="w-12 font-mono text-sm">{formatScore(value)}</span>
        <Button
          look={isChanged ? 'primary' : 'plain'}
          reason={offline ?? (isChanged ? null : 'No changes to save.')}
          onClick={() => {
            set('Confidence', { confidenceThreshold: value })
            setDraft(null)
          }}
        >
          Save threshold
        </Button>
        <Button look="quiet" reason={isChanged ? null : 'No changes to save.'} onClick={() => setDraft(null)}>
          Reset
        </Button>
        <Button look="quiet" reason={value === RECOMMENDED ? 'This is the recommended value.' : null} onClick={() => setDraft(RECOMMENDED)}>
          Use recommended ({formatScore(RECOMMENDED)})
        </Button>
      </div>
      <div aria-live="polite" className="min-h-6 text-sm">
        {affected.error ? (
          <ErrorState title="Couldn't count the affected findings" error={affected.error} retry={() => void affected.refetch()} />
        ) : null}
        {affected.isPending ? <Skeleton className="h-5 w-80" /> : null}
        {affected.data && !affected.error ? (
          <p>
            <b>{plural(affected.data.below, 'finding')}</b> of <TextLink href="/privacy">{formatCount(affected.data.all)}</TextLink>{' '}
            {isChanged ? 'would fall' : affected.data.below === 1 ? 'falls' : 'fall'} below.{' '}
            <span className="text-second">
              The threshold for secrets is {formatScore(Math.min(value, MAX_SECRET_THRESHOLD))}; your own decisions apply at any confidence.
            </span>
          </p>
        ) : null}
      </div>
    </Section>
  )
}
