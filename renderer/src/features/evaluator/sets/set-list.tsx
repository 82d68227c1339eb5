import { useState } from 'react'
import { useLocation } from 'wouter'
import type { EvaluationSet } from '#contracts/entities/answer.ts'
import { useEvaluationSets, useMakeEvaluationSet } from '#renderer/api/answers.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Choices } from '#renderer/ui/choices.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { LinesRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { setHref } from '../answers/words.ts'
import { EVALUATOR_TABS } from '../tabs.ts'

/** `/evaluator/sets`. */
export function SetList() {
  const [isMaking, setMaking] = useState(false)
  const offline = useOfflineReason()
  const list = useEvaluationSets()
  const { rows, more } = useRows(list)
  const make = (
    <Button look="primary" reason={offline} onClick={() => setMaking(true)}>
      Make a set …
    </Button>
  )
  return (
    <Page
      title="Evaluator"
      summary="Your own cases for any model: each with a check that decides, or a rubric that a model grades by."
      tabs={<TabLinks {...EVALUATOR_TABS} current="sets" />}
      actions={rows.length === 0 ? null : make}
    >
      <Fetched query={{ ...list, refetch: list.refetch }} what="sets" bars={['h-8 w-full', 'h-8 w-full']}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title="No own set yet" action={make}>
              Write cases as JSON lines, or begin with the prompts of your sessions. A case without check and rubric is not scored.
            </EmptyState>
          ) : (
            <>
              <Table caption="Own sets" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
            </>
          )
        }
      </Fetched>
      {isMaking ? <MakeSet onClose={() => setMaking(false)} /> : null}
    </Page>
  )
}

const SOURCES = [
  { value: 'lines', label: 'JSON lines', meaning: 'One case a line, with a prompt and a check or a rubric.' },
  { value: 'sessions', label: 'Sessions', meaning: 'The first prompt of each becomes a case, which is not scored by itself.' },
] as const
const EXAMPLE = '{"prompt": "Reply with ok.", "check": {"kind": "exact", "value": "ok"}}'

function MakeSet({ onClose }: { onClose: () => void }) {
  const [source, setSource] = useState<(typeof SOURCES)[number]['value']>('lines')
  const [form, setForm] = useState({ name: '', jsonl: '', query: '' })
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const make = useMakeEvaluationSet((id) => go(setHref(id)))
  const missing =
    form.name.trim() === '' ? 'Enter a name.' : source === 'lines' && form.jsonl.trim() === '' ? 'Enter at least one case.' : null
  return (
    <FormDialog
      wide
      title="Make a set"
      description="Checks: exact, contains, regex, json_schema, or command, which runs in a sandbox with the answer in answer.txt."
      action="Make set"
      reason={offline ?? missing}
      busy={make.isPending}
      onSubmit={() => make.mutate({ name: form.name, ...(source === 'lines' ? { jsonl: form.jsonl } : { query: form.query }) })}
      onClose={onClose}
    >
      <TextRow label="Name" value={form.name} onChange={(name) => setForm({ ...form, name })} />
      <Choices label="From" value={source} options={SOURCES} onChange={setSource} />
      {source === 'lines' ? (
        <LinesRow isWhole label="Cases" placeholder={EXAMPLE} value={form.jsonl} onChange={(jsonl) => setForm({ ...form, jsonl })} />
      ) : (
        <TextRow
          label="Filter"
          mono
          hint="As in Traces. Empty: the 500 newest."
          value={form.query}
          onChange={(query) => setForm({ ...form, query })}
        />
      )}
      {make.error ? <ErrorState title="Couldn't make the set" error={make.error} /> : null}
    </FormDialog>
  )
}

const COLUMNS: Column<EvaluationSet>[] = [
  {
    id: 'name',
    label: 'Name',
    cell: ({ id, name }) => (
      <TextLink href={setHref(id)}>
        <Visible text={name} />
      </TextLink>
    ),
  },
  { id: 'cases', label: 'Cases', numeric: true, cell: ({ cases }) => formatCount(cases) },
  { id: 'checked', label: 'With a check', numeric: true, cell: ({ checked }) => formatCount(checked) },
  { id: 'graded', label: 'With a rubric', numeric: true, cell: ({ graded }) => formatCount(graded) },
  { id: 'made', label: 'Made', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
