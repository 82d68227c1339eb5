import { RefreshCw } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Policy, RescorePreview, Thresholds } from '#contracts/entities/score.ts'
import { api } from '#renderer/api/client.ts'
import { progressSentence, progressShare } from '#renderer/api/job-words.ts'
import { keys } from '#renderer/api/keys.ts'
import { traceHref, tracesHref } from '#renderer/api/links.ts'
import { useRescore, useRunningJob } from '#renderer/api/queries.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { formatScore } from '#renderer/api/format-score.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { CommandOverrides } from './command-overrides.tsx'
import { DEFAULT_THRESHOLDS, TIERS, draftOf, readDraft, sameThresholds, type Bound, type ThresholdTier } from './thresholds.ts'
import { useChange } from './use-setting.ts'
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
      <VerificationCommands />
      <CommandOverrides />
    </>
  )
}

function useScoringPreview(proposal: { policy?: Policy; thresholds?: Thresholds } | null) {
  return useQuery({
    queryKey: keys.scoringPreview(proposal),
    queryFn: ({ signal }) => api.previewScoring({ body: proposal ?? {}, signal }),
    enabled: proposal !== null,
    placeholderData: (previous) => previous,
  })
}

/** Policy and thresholds are tried first and saved then: the effect is counted on the user's own sessions. */
function PolicyForm() {
  const { settings, offline, change } = useChange()
  const saved = settings.scoring
  const [policy, setPolicy] = useState(saved.policy)
  const [draft, setDraft] = useState(() => draftOf(saved.thresholds))
  const read = readDraft(draft)
  const changed = policy !== saved.policy || ('thresholds' in read && !sameThresholds(read.thresholds, saved.thresholds))
  const proposal = useDeferredValue('thresholds' in read && changed ? { policy, thresholds: read.thresholds } : null)
  const preview = useScoringPreview(proposal)
  const set = (tier: ThresholdTier, bound: Bound, text: string) => setDraft({ ...draft, [tier]: { ...draft[tier], [bound]: text } })
  const reset = () => {
    setPolicy(saved.policy)
    setDraft(draftOf(saved.thresholds))
  }
  const save = () => {
    if (!('thresholds' in read)) return
    change(
      'Scoring',
      { scoring: { policy, thresholds: read.thresholds } },
      { scoring: { policy: saved.policy, thresholds: saved.thresholds } },
    )
  }
  return (
    <Section title="Policy" note="Your own decisions always win and are never moved">
      <div>
        <Field
          id="policy"
          label="How a tier is decided"
          hint={
            policy === 'thresholds'
              ? 'By success rate and quality, against the bounds below. Recommended.'
              : 'A session whose tests or build passed counts first; the bounds decide the rest.'
          }
        >
          <Select id="policy" label="How a tier is decided" value={policy} options={POLICIES} onChange={setPolicy} />
        </Field>
        <div className="py-3">
          <Table
            caption="Bounds of the tiers"
            rows={TIERS}
            keyOf={(tier) => tier}
            columns={[
              { id: 'tier', label: 'Tier', cell: (tier) => <TierMark mark={tier} word className="h-8" /> },
              ...(['successRate', 'quality'] as const).map((bound) => ({
                id: bound,
                label: bound === 'quality' ? 'Quality at least' : 'Success rate at least',
                cell: (tier: ThresholdTier) => (
                  <TextInput
                    aria-label={`${tier}: ${bound === 'quality' ? 'quality' : 'success rate'} at least`}
                    inputMode="decimal"
                    className="w-24 text-right font-mono"
                    value={draft[tier][bound]}
                    onChange={(text) => set(tier, bound, text)}
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
          {'error' in read ? (
            <p role="alert" className="pt-2 text-xs text-bad">
              {read.error}
            </p>
          ) : null}
        </div>
      </div>
      <div aria-live="polite" className="min-h-6">
        {changed && preview.error ? (
          <ErrorState title="The effect could not be counted" error={preview.error} retry={() => void preview.refetch()} />
        ) : null}
        {changed && preview.data && !preview.error ? <Moves preview={preview.data} verb="would move" /> : null}
        {changed && preview.isPending && 'thresholds' in read && !preview.error ? <Skeleton className="h-5 w-80" /> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          reason={offline ?? ('error' in read ? read.error : changed ? null : 'Nothing has been changed.')}
          onClick={save}
        >
          Save
        </Button>
        <Button look="quiet" reason={changed || 'error' in read ? null : 'Nothing has been changed.'} onClick={reset}>
          Put back
        </Button>
        <Button look="quiet" onClick={() => setDraft(draftOf(DEFAULT_THRESHOLDS))}>
          Use recommended
        </Button>
      </div>
    </Section>
  )
}

/** "12 traces would move": from which tier to which, with examples. */
function Moves({ preview, verb }: { preview: RescorePreview; verb: string }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm">
        <b>
          {plural(preview.moving, 'trace')} {verb}
        </b>{' '}
        <span className="text-second">
          of {formatCount(preview.traces)}
          {preview.keptByUser > 0 ? `; ${formatCount(preview.keptByUser)} set by you stay` : ''}
          {preview.outdated > 0 ? `; ${formatCount(preview.outdated)} have a score of an older version` : ''}.
        </span>
      </p>
      {preview.moves.length > 0 ? (
        <Table
          caption="Moves between tiers"
          rows={preview.moves}
          keyOf={({ from, to }) => `${from} ${to}`}
          columns={[
            { id: 'from', label: 'From', cell: ({ from }) => <TierMark mark={from} word /> },
            { id: 'to', label: 'To', cell: ({ to }) => <TierMark mark={to} word /> },
            { id: 'count', label: 'Traces', numeric: true, cell: ({ count }) => formatCount(count) },
            {
              id: 'examples',
              label: 'For example',
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
  const [asking, setAsking] = useState(false)
  const { offline } = useChange()
  const isEmpty = preview.data?.traces === 0
  return (
    <Section title="Score again" note="Counts first, then writes; tiers that you set stay">
      {running ? (
        <JobLine name="Scoring again" sentence={progressSentence(running)} share={progressShare(running)} />
      ) : (
        <>
          {preview.error ? (
            <ErrorState title="The effect could not be counted" error={preview.error} retry={() => void preview.refetch()} />
          ) : null}
          {preview.data && !preview.error && !isEmpty ? <Moves preview={preview.data} verb="would move now" /> : null}
          {isEmpty ? <p className="text-sm text-second">No session is kept yet, so there is nothing to score.</p> : null}
          {preview.isPending ? <Skeleton className="h-5 w-80" /> : null}
          <div className="flex flex-wrap items-center gap-3">
            <Button
              icon={RefreshCw}
              reason={offline ?? (isEmpty ? 'There is no session to score.' : null)}
              busy={rescore.isPending}
              onClick={() => setAsking(true)}
            >
              Score all again …
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
        open={asking}
        onOpenChange={setAsking}
        title="Score all traces again?"
        action="Score again"
        danger={false}
        onConfirm={() =>
          rescore.mutate(undefined, { onSuccess: () => toast.info('Scoring again has started', 'Its progress is in the status bar.') })
        }
      >
        <p>
          {preview.data
            ? `${plural(preview.data.moving, 'trace')} of ${formatCount(preview.data.traces)} would move to another tier now; scores of an older version are made again, which may move more.`
            : 'Every trace is scored with the current policy and version.'}
        </p>
        <p>Tiers that you set yourself stay. The archive is not touched.</p>
      </Confirm>
    </Section>
  )
}
