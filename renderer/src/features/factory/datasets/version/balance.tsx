import { Link } from 'wouter'
import type { BalanceBy, Dataset, DatasetGroups } from '#contracts/entities/dataset.ts'
import { datasetHref, traceHref } from '#renderer/app/links.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { useGroups } from '../queries.ts'
import { BALANCE_WORDS } from '../words.ts'

const MAX_GROUPS = 8

/** Rows by repository, session, tool, task, language and length. */
export function Balance({ dataset }: { dataset: Dataset }) {
  const { largestSession: largest, options } = dataset
  const { sessionShare } = options
  return (
    <Section title="Balance" note="Counted from the written rows">
      {largest === null ? null : (
        <p className="text-sm">
          The largest share of <TextLink href={traceHref(largest.traceId)}>one session</TextLink> is {formatPercent(largest.share)},{' '}
          {plural(largest.rows, 'row')}
          {largest.share > sessionShare + 1e-6 ? `; there are too few sessions for ${formatPercent(sessionShare)}` : ''}.
        </p>
      )}
      <Fetched query={useGroups(dataset.id)} what="row counts" bars={['h-32 w-full']}>
        {({ groups, rows }) => (
          <div className="grid grid-cols-[repeat(auto-fit,minmax(18rem,1fr))] gap-x-8 gap-y-5">
            {groups.map((group) => (
              <Group key={group.by} dataset={dataset.id} group={group} rows={rows} />
            ))}
          </div>
        )}
      </Fetched>
    </Section>
  )
}

function Group({ dataset, group, rows }: { dataset: string; group: DatasetGroups['groups'][number]; rows: number }) {
  const otherGroups = group.values.slice(MAX_GROUPS)
  const otherRows = otherGroups.reduce((sum, one) => sum + one.rows, 0)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="text-sm font-semibold">{BALANCE_WORDS[group.by]}</h3>
      <ul className="flex flex-col">
        {group.values.slice(0, MAX_GROUPS).map(({ name, rows: count }) => (
          <li key={name}>
            <Link href={groupHref(dataset, group.by, name)} className="focus-inset block rounded-sm hover:bg-raised">
              <Bar name={name} count={count} rows={rows} />
            </Link>
          </li>
        ))}
        {otherGroups.length > 0 ? (
          <li>
            <Bar name={plural(otherGroups.length, 'more group')} count={otherRows} rows={rows} />
          </li>
        ) : null}
      </ul>
    </div>
  )
}

const groupHref = (dataset: string, by: BalanceBy, name: string) =>
  `${datasetHref(dataset)}?${new URLSearchParams({ tab: 'rows', by, group: name }).toString()}`

const Bar = ({ name, count, rows }: { name: string; count: number; rows: number }) => (
  <span className="grid min-h-6 grid-cols-[8rem_minmax(0,1fr)_5.5rem] items-center gap-2 text-xs">
    <span className="truncate" title={name}>
      {name}
    </span>
    <span aria-hidden className="h-3 bg-raised">
      <span className="block h-full bg-accent" style={{ width: rows > 0 ? `${(count / rows) * 100}%` : 0 }} />
    </span>
    <span className="text-right whitespace-nowrap tabular-nums">
      {formatCount(count)} <span className="text-second">{formatPercent(rows > 0 ? count / rows : null)}</span>
    </span>
  </span>
)
