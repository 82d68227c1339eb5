import type { Exam, ExamCandidate } from '#contracts/entities/exam.ts'
import { useExamCandidates } from '#renderer/api/exams.ts'
import { traceHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH, formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'

/** How many sessions gave tasks, and why the others fell out; a reason opens its sessions. */
export function Funnel({ exam }: { exam: Exam }) {
  const [search, change] = useSearchState()
  const reason = exam.leftOut.find((one) => one.reason === search.get('reason'))?.reason ?? null
  const columns: Column<Exam['leftOut'][number]>[] = [
    {
      id: 'reason',
      label: 'Why sessions fell out',
      cell: (row) => (
        <button
          type="button"
          aria-expanded={row.reason === reason}
          className="text-left text-accent hover:underline"
          onClick={() => change({ reason: row.reason === reason ? null : row.reason }, { replace: true })}
        >
          {row.reason}
        </button>
      ),
    },
    { id: 'count', label: 'Sessions', numeric: true, cell: ({ count }) => formatCount(count) },
  ]
  return (
    <Section
      title="Where its tasks come from"
      note={`${formatCount(exam.sessions)} of ${plural(exam.considered ?? 0, 'session')} can be done again${exam.waiting === 0 ? '' : `; ${formatCount(exam.waiting)} are still to be tried`}.`}
    >
      {exam.leftOut.length === 0 ? null : (
        <Table caption="Why sessions fell out" columns={columns} rows={exam.leftOut} keyOf={(row) => row.reason} />
      )}
      {reason === null ? null : <Sessions key={reason} exam={exam} reason={reason} />}
    </Section>
  )
}

function Sessions({ exam, reason }: { exam: Exam; reason: string }) {
  const list = useExamCandidates(exam.id, reason)
  const { rows, more } = useRows(list)
  return (
    <Fetched query={{ ...list, refetch: list.refetch }} what="sessions" bars={['h-8 w-full']}>
      {() => (
        <>
          <Table caption={`Sessions: ${reason}`} columns={SESSION_COLUMNS} rows={rows} keyOf={({ id }) => id} />
          {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
        </>
      )}
    </Fetched>
  )
}

const SESSION_COLUMNS: Column<ExamCandidate>[] = [
  { id: 'session', label: 'Session', cell: ({ id }) => <TextLink href={traceHref(id)}>{id.slice(0, 12)}</TextLink> },
  { id: 'detail', label: 'Detail', cell: ({ detail }) => (detail === null ? DASH : <Visible text={detail} />) },
]
