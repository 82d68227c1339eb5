import type { BatchReport } from '#contracts/entities/batch.ts'
import { traceHref } from '#renderer/app/links.ts'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'

/** Sessions that cannot be repeated, each with the reason. */
export const LeftOut = ({ sessions }: { sessions: BatchReport['leftOut'] }) =>
  sessions.length === 0 ? null : (
    <Section title="Left out" note={`${plural(sessions.length, 'session')} that cannot be repeated.`}>
      <Table caption="Sessions left out" columns={COLUMNS} rows={sessions} keyOf={({ traceId }) => traceId} />
    </Section>
  )

const COLUMNS: Column<BatchReport['leftOut'][number]>[] = [
  {
    id: 'session',
    label: 'Session',
    className: 'font-mono text-xs',
    cell: ({ traceId }) => <TextLink href={traceHref(traceId)}>{traceId}</TextLink>,
  },
  { id: 'reason', label: 'Reason', cell: ({ reason }) => reason },
]
