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

/** The pair search, with its progress and result. */
export function FindPairs({ job, onClose }: { job: ReturnType<typeof useFindPairs>; onClose: () => void }) {
  const views = useViews()
  const selectedIds = useChosenSessions((state) => state.ids)
  const [from, setFrom] = useState(selectedIds.length > 0 ? CHOSEN : ALL)
  const [customFilter, setCustomFilter] = useState('')
  const [isAcross, setAcross] = useState(false)
  const offline = useOfflineReason()
  const query = from === FILTER ? customFilter.trim() : (views.data?.items.find((view) => view.id === from)?.query ?? '')
  const selection = from === CHOSEN ? { ids: [...selectedIds] } : { filter: query === '' ? {} : { q: query } }
  const result = PairsFound.safeParse(job.result)
  return (
    <FormDialog
      title="Find pairs"
      description="A better and a worse response to the same situation. Earlier reviews are kept."
      action="Find pairs"
      close="Close"
      reason={offline}
      busy={job.busy}
      onSubmit={() => job.start({ selection, options: { pairAcrossRepositories: isAcross } })}
      onClose={onClose}
    >
      <div className="pt-1">
        <SelectRow
          label="Sessions"
          hint={from === CHOSEN ? `${plural(selectedIds.length, 'session')} selected in Traces.` : <Matching filter={query} />}
          value={from}
          options={[
            { value: ALL, label: 'All sessions' },
            ...(selectedIds.length > 0 ? [{ value: CHOSEN, label: 'Selected sessions' }] : []),
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
            value={customFilter}
            placeholder={FILTER_EXAMPLES.pairs}
            onChange={setCustomFilter}
          />
        ) : null}
        <SwitchRow
          label="Across repositories"
          hint="A failed task without a similar one in its own repository is paired with one from another repository."
          checked={isAcross}
          onChange={setAcross}
        />
      </div>
      <JobState name="Searching for pairs" work={job} failed="The pair search failed" stopped="Stopped. The list is unchanged." />
      {result.success ? (
        <div role="status" className="flex flex-col gap-1 pt-2 text-sm">
          <p>
            <b>{plural(result.data.pairs, 'pair')}</b> in {plural(result.data.sessions, 'session')}:{' '}
            {SOURCES.map((source) => `${formatCount(result.data.bySource[source] ?? 0)} ${SOURCE_WORDS[source].label.toLowerCase()}`).join(
              ', ',
            )}
            .
          </p>
          {result.data.left.map(({ reason, count }) => (
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
