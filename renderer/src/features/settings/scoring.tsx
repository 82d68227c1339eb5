import { RefreshCw } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Policy, RescorePreview, Thresholds } from '#contracts/entities/score.ts'
import { api } from '#renderer/api/client.ts'
import { useRunningJob } from '#renderer/api/jobs.ts'
import { scoringKeys, useRescore } from '#renderer/api/scoring.ts'
import { traceHref, tracesHref } from '#renderer/app/links.ts'
import { progressSentence, progressShare } from '#renderer/app/words/jobs.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { CommandOverrides } from './command-overrides.tsx'
import { DEFAULT_THRESHOLDS, TIERS, draftOf, readDraft, sameThresholds, type Bound, type ThresholdTier } from './thresholds.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { VerificationCommands } from './verification-commands.tsx'

const POLICIES: { value: Policy; label: string }[] = [
  { value: 'thresholds', label: 'Thresholds' },
  { value: 'verified_first', label: 'Verified first' },
]

export function ScoringSection() {
  return (
    <>
      <PolicyForm />
      <Rescore />
      <Afterwards />
      <VerificationCommands />
      <CommandOverrides />
    </>
  )
}

/** When to look up what happened after sessions. */
function Afterwards() {
  const { settings, offline, change } = useChange()
  const { outcomesAfterImports, outcomeDays } = settings.scoring
  return (
    <Section title="Afterwards" note="Facts beside the score, never in it">
      <div>
        <SwitchRow
          label="Look up after each import"
          hint="Reads the repositories of sessions with commits: did they stay, were they reverted or fixed, did the next prompt complain?"
          checked={outcomesAfterImports}
          disabled={offline !== null}
          onChange={(on) => change('Afterwards', { scoring: { outcomesAfterImports: on } })}
        />
        <SelectRow
          label="Corrections count for"
          value={String(outcomeDays)}
          options={[7, 14, 30, 90].map((days) => ({ value: String(days), label: plural(days, 'day') }))}
          onChange={(days) => change('Afterwards', { scoring: { outcomeDays: Number(days) } })}
        />
      </div>
    </Section>
  )
}

function useScoringPreview(proposal: { policy?: Policy; thresholds?: Thresholds } | null) {
  return useQuery({
    queryKey: scoringKeys.preview(proposal),
    queryFn: ({ signal }) => api.previewScoring({ body: proposal ?? {}, signal }),
    enabled: proposal !== null,
    placeholderData: (previous) => previous,
  })
}

/** Policy and thresholds, with the number of traces that would change tier before they are saved. */
function PolicyForm() {
  const { settings, offline, change } = useChange()
  const saved = settings.scoring
  const [policy, setPolicy] = useState(saved.policy)
  const [draft, setDraft] = useState(() => draftOf(saved.thresholds))
  const parsed = readDraft(draft)
  const isChanged = policy !== saved.policy || ('thresholds' in parsed && !sameThresholds(parsed.thresholds, saved.thresholds))
  const proposal = useDeferredValue('thresholds' in parsed && isChanged ? { policy, thresholds: parsed.thresholds } : null)
  const preview = useScoringPreview(proposal)
  const setBound = (tier: ThresholdTier, bound: Bound, text: string) => setDraft({ ...draft, [tier]: { ...draft[tier], [bound]: text } })
  const reset = () => {
    setPolicy(saved.policy)
    setDraft(draftOf(saved.thresholds))
  }
  const save = () => {
    if (!('thresholds' in parsed)) return
    change('Scoring', { scoring: { policy, thresholds: parsed.thresholds } })
  }
  return (
    <Section title="Policy" note="Your own decisions always override it">
      <div>
        <SelectRow
          label="Scoring policy"
          hint={
            policy === 'thresholds'
              ? 'By success rate and quality, using the thresholds below. Recommended.'
              : 'Passed tests mean gold, failed verification means failed; success rate and quality decide the rest.'
          }
          value={policy}
          options={POLICIES}
          onChange={setPolicy}
        />
        <div className="py-3">
          <Table
            caption="Tier thresholds"
            rows={TIERS}
            keyOf={(tier) => tier}
            columns={[
              { id: 'tier', label: 'Tier', cell: (tier) => <TierMark mark={tier} word className="h-8" /> },
              ...(['successRate', 'quality'] as const).map((bound) => ({
                id: bound,
                label: bound === 'quality' ? 'Minimum quality' : 'Minimum success rate',
                cell: (tier: ThresholdTier) => (
                  <TextInput
                    aria-label={`${tier}: minimum ${bound === 'quality' ? 'quality' : 'success rate'}`}
                    inputMode="decimal"
                    className="w-24 text-right font-mono"
                    value={draft[tier][bound]}
                    onChange={(text) => setBound(tier, bound, text)}
                  />
                ),
              })),
              {
                id: 'default',
                label: 'Recommended',
                cell: (tier) => (
                  <span className="font-mono text-xs leading-8 text-second">
                    {formatScore(DEFAULT_THRESHOLDS[tier].successRate)} / {formatScore(DEFAULT_THRESHOLDS[tier].quality)}
                  </span>
                ),
              },
            ]}
          />
          {'error' in parsed ? (
            <p role="alert" className="pt-2 text-xs text-bad">
              {parsed.error}
            </p>
          ) : null}
        </div>
      </div>
      <div aria-live="polite" className="min-h-6">
        {isChanged && preview.error ? (
          <ErrorState title="Couldn't count the affected traces" error={preview.error} retry={() => void preview.refetch()} />
        ) : null}
        {isChanged && preview.data && !preview.error ? <Moves preview={preview.data} verb="would change tier" /> : null}
        {isChanged && preview.isPending && 'thresholds' in parsed && !preview.error ? <Skeleton className="h-5 w-80" /> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          reason={offline ?? ('error' in parsed ? parsed.error : isChanged ? null : 'No changes to save.')}
          onClick={save}
        >
          Save policy
        </Button>
        <Button look="quiet" reason={isChanged || 'error' in parsed ? null : 'No changes to save.'} onClick={reset}>
          Reset
        </Button>
        <Button look="quiet" onClick={() => setDraft(draftOf(DEFAULT_THRESHOLDS))}>
          Use recommended
        </Button>
      </div>
    </Section>
  )
}

/** How many traces would change tier, from which tier to which, with examples. */
function Moves({ preview, verb }: { preview: RescorePreview; verb: string }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm">
        <b>
          {plural(preview.moving, 'trace')} {verb}
        </b>{' '}
        <span className="text-second">
          of {formatCount(preview.traces)}
          {preview.keptByUser > 0 ? `; ${formatCount(preview.keptByUser)} set by you stay as they are` : ''}
          {preview.outdated > 0 ? `; ${formatCount(preview.outdated)} were scored by an older version` : ''}.
        </span>
      </p>
      {preview.moves.length > 0 ? (
        <Table
          caption="Tier changes"
          rows={preview.moves}
          keyOf={({ from, to }) => `${from} ${to}`}
          columns={[
            { id: 'from', label: 'From', cell: ({ from }) => <TierMark mark={from} word /> },
            { id: 'to', label: 'To', cell: ({ to }) => <TierMark mark={to} word /> },
            { id: 'count', label: 'Traces', numeric: true, cell: ({ count }) => formatCount(count) },
            {
              id: 'examples',
              label: 'Examples',
              cell: ({ examples }) => (
                <span className="flex flex-wrap gap-x-2">
                  {examples.slice(0, 3).map((id) => (
                    <TextLink key={id} href={traceHref(id)} className="font-mono text-xs">
                      {id.slice(0, 8)}
                    </TextLink>
                  ))}
                </span>
              ),
            },
          ]}
        />
      ) : null}
    </div>
  )
}

function Rescore() {
  const running = useRunningJob('rescore')
  const rescore = useRescore()
  const preview = useScoringPreview({})
  const [isConfirming, setAsking] = useState(false)
  const { offline } = useChange()
  const isEmpty = preview.data?.traces === 0
  return (
    <Section title="Rescore" note="Applies the current rules to every trace; tiers you set stay as they are">
      {running ? (
        <JobLine name="Rescore" sentence={progressSentence(running)} share={progressShare(running)} />
      ) : (
        <>
          {preview.error ? (
            <ErrorState title="Couldn't count the affected traces" error={preview.error} retry={() => void preview.refetch()} />
          ) : null}
          {preview.data && !preview.error && !isEmpty ? <Moves preview={preview.data} verb="would change tier now" /> : null}
          {isEmpty ? <p className="text-sm text-second">No sessions archived yet.</p> : null}
          {preview.isPending ? <Skeleton className="h-5 w-80" /> : null}
          <div className="flex flex-wrap items-center gap-3">
            <Button
              icon={RefreshCw}
              reason={offline ?? (isEmpty ? 'No sessions archived yet.' : null)}
              busy={rescore.isPending}
              onClick={() => setAsking(true)}
            >
              Rescore all …
            </Button>
            {isEmpty ? null : (
              <TextLink href={tracesHref('')} className="text-sm">
                All traces
              </TextLink>
            )}
          </div>
        </>
      )}
      <Confirm
        open={isConfirming}
        onOpenChange={setAsking}
        title="Rescore all traces?"
        action="Rescore all"
        danger={false}
        onConfirm={() =>
          rescore.mutate(undefined, { onSuccess: () => toast.info('Rescore started', 'Its progress is in the status bar.') })
        }
      >
        <p>
          {preview.data
            ? `${formatCount(preview.data.moving)} of ${plural(preview.data.traces, 'trace')} would change tier. Traces scored by an older version are read again, so more may change.`
            : 'Every trace is rescored with the current policy.'}
        </p>
        <p>Tiers you set yourself stay as they are. The archive is not changed.</p>
      </Confirm>
    </Section>
  )
}
