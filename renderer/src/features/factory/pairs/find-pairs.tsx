import { useState } from 'react'
import { PairsFound } from '#contracts/entities/example.ts'
import { FILTER_EXAMPLES } from '#contracts/filter.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useViews } from '#renderer/api/traces.ts'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Matching } from '../matching.tsx'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { SOURCE_WORDS, SOURCES } from './words.ts'

export const useFindPairs = () =>
  useJobOf('pairs', (body: Parameters<typeof api.findPairs>[0]['body']) => api.findPairs({ body }), "Couldn't start the pair search")

/** Where to look for pairs, and the progress and result of the search. */
export function FindPairs({ job, onClose }: { job: ReturnType<typeof useFindPairs>; onClose: () => void }) {
  const views = useViews()
  const chosen = useChosenSessions((state) => state.ids)
  const [from, setFrom] = useState(chosen.length > 0 ? CHOSEN : ALL)
  const [own, setOwn] = useState('')
  const [across, setAcross] = useState(false)
  const offline = useOfflineReason()
  const query = from === FILTER ? own.trim() : (views.data?.items.find((view) => view.id === from)?.query ?? '')
  const selection = from === CHOSEN ? { ids: [...chosen] } : { filter: query === '' ? {} : { q: query } }
  const found = PairsFound.safeParse(job.result)
  return (
    <FormDialog
      title="Find pairs"
      description="A better and a worse response to the same situation. Earlier reviews are kept."
      action="Find pairs"
      close="Close"
      reason={offline}
      busy={job.busy}
      onSubmit={() => job.start({ selection, options: { pairAcrossRepositories: across } })}
      onClose={onClose}
    >
      <div className="pt-1">
        <SelectRow
          label="Sessions"
          hint={from === CHOSEN ? `${plural(chosen.length, 'session')} selected in Traces.` : <Matching filter={query} />}
          value={from}
          options={[
            { value: ALL, label: 'All sessions' },
            ...(chosen.length > 0 ? [{ value: CHOSEN, label: 'Selected sessions' }] : []),
            ...(views.data?.items.map((view) => ({ value: view.id, label: `Saved view: ${view.name}` })) ?? []),
            { value: FILTER, label: 'Custom filter …' },
          ]}
          onChange={setFrom}
        />
        {from === FILTER ? (
          <TextRow
            mono
            label="Filter"
            hint="Same syntax as the filter in Traces."
            value={own}
            placeholder={FILTER_EXAMPLES.pairs}
            onChange={setOwn}
          />
        ) : null}
        <SwitchRow
          label="Across repositories"
          hint="Pairs a failed task with a similar one of another repository where its own has none."
          checked={across}
          onChange={setAcross}
        />
      </div>
      <JobState name="Searching for pairs" work={job} failed="The pair search failed" stopped="Stopped. The list is unchanged." />
      {found.success ? (
        <div role="status" className="flex flex-col gap-1 pt-2 text-sm">
          <p>
            <b>{plural(found.data.pairs, 'pair')}</b> in {plural(found.data.sessions, 'session')}:{' '}
            {SOURCES.map((source) => `${formatCount(found.data.bySource[source] ?? 0)} ${SOURCE_WORDS[source].label.toLowerCase()}`).join(
              ', ',
            )}
            .
          </p>
          {found.data.left.map(({ reason, count }) => (
            <p key={reason} className="text-second">
              {formatCount(count)} excluded: {reason.replaceAll('_', ' ')}
            </p>
          ))}
        </div>
      ) : null}
    </FormDialog>
  )
}

const ALL = 'all'
const CHOSEN = 'chosen'
const FILTER = 'filter'
