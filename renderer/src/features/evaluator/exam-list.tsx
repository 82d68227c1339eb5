import { useState } from 'react'
import { Redirect } from 'wouter'
import type { Exam } from '#contracts/entities/exam.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExams } from '#renderer/api/exams.ts'
import { useModelNames } from '#renderer/api/models.ts'
import { examHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { MakeExam } from './make-exam.tsx'
import { EVALUATOR_TABS } from './tabs.ts'
import { itemWord } from './words.ts'

/** `/evaluator`; with `?model=` the question is whether this model is better than its base. */
export function ExamList() {
  const [search, change] = useSearchState()
  const model = search.get('model')
  const name = useModelNames().data?.get(model ?? '')
  const offline = useOfflineReason()
  const list = useExams()
  const { rows, more } = useRows(list)
  const [isClosed, setClosed] = useState(false)
  // asked about a model, the way leads straight to its exam, which is made if there is none
  const only = model !== null && rows.length === 1 && !list.hasNextPage ? rows[0] : undefined
  const isMaking = search.get('make') === '1' || (model !== null && list.isSuccess && rows.length === 0 && !isClosed)
  if (only && !isMaking) return <Redirect to={`${examHref(only.id)}?model=${model}`} replace />
  const make = (
    <Button look="primary" reason={offline} onClick={() => change({ make: '1' })}>
      Make my exam …
    </Button>
  )
  return (
    <Page
      title="Evaluator"
      summary={
        model === null
          ? 'Is a model better on your own work? An exam asks it for the next call of sessions that training never sees.'
          : `Is ${name ?? 'this model'} better than its base? Choose an exam, or make one from sessions that it has not seen.`
      }
      tabs={<TabLinks {...EVALUATOR_TABS} current="exams" />}
      actions={rows.length === 0 ? null : make}
    >
      <Fetched query={{ ...list, refetch: list.refetch }} what="exams" bars={['h-8 w-full', 'h-8 w-full']}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title="No exam yet" action={make}>
              An exam holds some of your sessions out of all training. Base and candidate then answer the same recorded steps, and the
              difference says whether the model got better: with its interval, or an honest &ldquo;not proven&rdquo;.
            </EmptyState>
          ) : (
            <>
              <Table caption="Exams" columns={columnsFor(model)} rows={rows} keyOf={({ id }) => id} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
            </>
          )
        }
      </Fetched>
      {isMaking ? (
        <MakeExam
          unseenBy={model}
          onClose={() => {
            change({ make: null })
            setClosed(true)
          }}
        />
      ) : null}
    </Page>
  )
}

const columnsFor = (model: string | null): Column<Exam>[] => [
  {
    id: 'name',
    label: 'Name',
    cell: ({ id, name }) => (
      <TextLink href={model === null ? examHref(id) : `${examHref(id)}?model=${model}`}>
        <Visible text={name} />
      </TextLink>
    ),
  },
  { id: 'sessions', label: 'Sessions', numeric: true, cell: ({ sessions }) => formatCount(sessions) },
  { id: 'items', label: 'Asks', numeric: true, cell: ({ items, kind }) => plural(items, itemWord(kind)) },
  { id: 'runs', label: 'Runs', numeric: true, cell: ({ runs }) => formatCount(runs) },
  { id: 'made', label: 'Made', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
