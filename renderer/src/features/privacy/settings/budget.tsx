import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DpRelease } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { NumberRow, SelectRow } from '#renderer/ui/form-rows.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { Meter } from '#renderer/ui/meter.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { requestOf, deviationWord, DEFAULT_RELEASE, numberWord, STATISTICS, statisticWord, type ReleaseDraft } from './release-draft.ts'

type Answer = Awaited<ReturnType<typeof api.releaseStatistic>>

/** Releases statistics about the archive with noise, within a privacy budget that is never refilled. */
export function PrivacyBudget() {
  const queries = useQueryClient()
  const budget = useQuery({ queryKey: privacyKeys.budget, queryFn: ({ signal }) => api.getPrivacyBudget({ signal }) })
  const release = useMutation({
    mutationFn: (body: Parameters<typeof api.releaseStatistic>[0]['body']) => api.releaseStatistic({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: privacyKeys.budget }),
    meta: { quiet: true },
  })
  return (
    <Section title="Differential privacy" note="For statistics about your sessions that you want to share">
      <Explanation />
      <Fetched query={budget} what="budget" bars={['h-24 w-full']}>
        {({ left, epsilon, deltaSpent, releases }) => (
          <>
            <div className="flex flex-col gap-1">
              <p className="text-sm">
                <b>ε {numberWord(left)} left</b>{' '}
                <span className="text-second">
                  of {numberWord(epsilon)} for this archive
                  {deltaSpent > 0 ? `; δ spent ${deltaSpent}` : ''}
                </span>
              </p>
              <Meter label="Budget left" value={left / epsilon} text={`${numberWord(left)} of ${numberWord(epsilon)} left`} />
            </div>
            <ReleaseForm left={left} busy={release.isPending} onRelease={(body) => release.mutate(body)} />
            {release.error ? <ErrorState title="The statistic was not released" error={release.error} /> : null}
            {release.data ? <ReleasedStatistic answer={release.data} /> : null}
            <Releases releases={releases} />
          </>
        )}
      </Fetched>
    </Section>
  )
}

const Explanation = () => (
  <div className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
    <div>
      <h3 className="font-semibold">What is protected</h3>
      <p className="text-second">
        Whether any single session is in the archive. ε limits how well someone who sees the result can tell whether that session was
        included: a smaller ε protects better and adds more noise. The noise is sampled exactly, from this machine's cryptographic random
        source.
      </p>
    </div>
    <div>
      <h3 className="font-semibold">What is not protected</h3>
      <p className="text-second">
        What many sessions reveal together, such as your habits. Texts, data sets and models: they pass through the privacy filter but are
        not differentially private. Training adds no noise (DP-SGD is not offered), so a model may repeat its training data. Figures on the
        other screens of this app have no noise.
      </p>
    </div>
  </div>
)

function ReleaseForm({
  left,
  busy,
  onRelease,
}: {
  left: number
  busy: boolean
  onRelease: (body: Parameters<typeof api.releaseStatistic>[0]['body']) => void
}) {
  const offline = useOfflineReason()
  const [draft, setDraft] = useState<ReleaseDraft>(DEFAULT_RELEASE)
  const [isConfirming, setConfirming] = useState(false)
  const { body, error } = requestOf(draft, left)
  return (
    <div>
      <SelectRow label="Statistic" value={draft.what} options={STATISTICS} onChange={(what) => setDraft({ ...draft, what })} />
      <SelectRow
        label="Noise"
        hint={
          draft.mechanism === 'laplace'
            ? 'Laplace: ε is the only parameter.'
            : 'Gaussian: the guarantee may fail with probability δ, here one in a million.'
        }
        value={draft.mechanism}
        options={[
          { value: 'laplace', label: 'Laplace' },
          { value: 'gaussian', label: 'Gaussian' },
        ]}
        onChange={(mechanism) => setDraft({ ...draft, mechanism })}
      />
      {draft.what === 'mean_session_minutes' ? (
        <NumberRow
          label="Longest session, in minutes"
          hint="Longer sessions count as this long. Choose it without looking at the data."
          value={draft.minutes}
          placeholder=""
          onChange={(minutes) => setDraft({ ...draft, minutes })}
        />
      ) : null}
      <Field id="release-epsilon" label="Privacy cost (ε)" hint={deviationWord(draft)} error={error}>
        <TextInput
          id="release-epsilon"
          inputMode="decimal"
          className="w-24 text-right font-mono"
          value={draft.epsilon}
          onChange={(epsilon) => setDraft({ ...draft, epsilon })}
        />
        <Button reason={offline ?? error} busy={busy} onClick={() => setConfirming(true)}>
          Release statistic …
        </Button>
      </Field>
      <Confirm
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Spend ε ${draft.epsilon} of the remaining ${numberWord(left)}?`}
        action="Release statistic"
        danger={false}
        onConfirm={() => body && onRelease(body)}
      >
        <p>{statisticWord(draft.what)}, with noise. Spent budget cannot be recovered.</p>
      </Confirm>
    </div>
  )
}

function ReleasedStatistic({ answer: { release, value, bins, deviation } }: { answer: Answer }) {
  const spread = `± ${numberWord(deviation)}`
  return (
    <div role="status" className="flex flex-col gap-2 border-l-4 border-accent pl-3 text-sm">
      <p>
        <b>{statisticWord(release.what)}</b>{' '}
        <span className="text-second">
          with ε {numberWord(release.epsilon)}; standard deviation of the noise {spread}
          {release.what === 'mean_session_minutes' ? ' minutes, on the sum' : ''}. Counts may come out below zero.
        </span>
      </p>
      {bins === null ? (
        <p className="font-mono text-xl">{value === null ? 'too few sessions' : numberWord(value)}</p>
      ) : (
        <Table
          caption="Released counts"
          rows={Object.entries(bins)}
          keyOf={([name]) => name}
          columns={[
            { id: 'name', label: 'Group', cell: ([name]) => name },
            {
              id: 'count',
              label: 'Count, with noise',
              numeric: true,
              cell: ([, count]) => <span className="font-mono">{formatCount(count)}</span>,
            },
          ]}
        />
      )}
    </div>
  )
}

function Releases({ releases }: { releases: readonly DpRelease[] }) {
  if (releases.length === 0) return <p className="text-sm text-second">No statistics released yet.</p>
  return (
    <div className="max-h-72 overflow-y-auto">
      <Table
        caption="Releases"
        rows={releases}
        keyOf={({ id }) => id}
        columns={[
          { id: 'what', label: 'Released', cell: ({ what }) => statisticWord(what) },
          { id: 'mechanism', label: 'Noise', cell: ({ mechanism }) => mechanism },
          { id: 'epsilon', label: 'ε', numeric: true, cell: ({ epsilon }) => <span className="font-mono">{numberWord(epsilon)}</span> },
          {
            id: 'delta',
            label: 'δ',
            numeric: true,
            cell: ({ delta }) => <span className="font-mono">{delta === 0 ? '0' : String(delta)}</span>,
          },
          { id: 'at', label: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
        ]}
      />
    </div>
  )
}
