import type { DatasetComparison, DatasetSummary } from '#contracts/entities/dataset.ts'
import { traceHref } from '#renderer/app/links.ts'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { TableSkeleton } from '../skeletons.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { VirtualList } from '#renderer/ui/lists/virtual-list.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { usePages } from '#renderer/ui/lists/pages.ts'
import { useComparison, useDatasets } from './queries.ts'
import { SPLIT_WORDS } from './words.ts'

type Change = DatasetComparison['items'][number]
const CHANGE_WORDS: Record<Change['change'], { word: string; tone: Tone; meaning: string }> = {
  added: { word: 'added', tone: 'ok', meaning: 'only in the second' },
  removed: { word: 'removed', tone: 'bad', meaning: 'only in the first' },
  changed: { word: 'changed', tone: 'warn', meaning: 'same source, different content' },
  moved: { word: 'moved', tone: 'accent', meaning: 'same content, different split' },
}

/** Compares the rows and recipes of two versions. */
export default function Compare() {
  const [search, change] = useSearchState()
  const a = search.get('a') ?? ''
  const b = search.get('b') ?? ''
  const list = useDatasets()
  const versions = list.data?.pages.flatMap(({ items }) => items) ?? []
  const comparison = useComparison(a, b)
  const first = comparison.data?.pages[0]
  return (
    <Page
      title="Compare two versions"
      summary={
        <>
          Rows are matched by their source. <TextLink href="/factory/datasets">All data sets</TextLink>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <VersionSelect label="First" value={a} versions={versions} onChange={(id) => change({ a: id })} />
        <span aria-hidden>→</span>
        <VersionSelect label="Second" value={b} versions={versions} onChange={(id) => change({ b: id })} />
      </div>
      {a === '' || b === '' || a === b ? (
        <EmptyState title="Choose two versions">Select a first and a second version above to compare their rows and recipes.</EmptyState>
      ) : comparison.error ? (
        <ErrorState title="Couldn't compare the versions" error={comparison.error} retry={() => void comparison.refetch()} />
      ) : first ? (
        <Difference first={first} comparison={comparison} />
      ) : (
        <TableSkeleton label="Comparing" />
      )}
    </Page>
  )
}

const VersionSelect = ({
  label,
  value,
  versions,
  onChange,
}: {
  label: string
  value: string
  versions: readonly DatasetSummary[]
  onChange: (id: string) => void
}) => (
  <Select
    label={label}
    className="min-w-56"
    value={value}
    options={versions.map(({ id, name, version }) => ({ value: id, label: `${name} v${version}` }))}
    onChange={onChange}
  />
)

function Difference({ first, comparison }: { first: DatasetComparison; comparison: ReturnType<typeof useComparison> }) {
  const { rows: items, more } = usePages(comparison)
  const { counts, recipe } = first
  const differenceCount = counts.added + counts.removed + counts.changed + counts.moved
  return (
    <>
      <p role="status" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {(['added', 'removed', 'changed', 'moved'] as const).map((kind) => (
          <span key={kind}>
            <b>{formatCount(counts[kind])}</b> {CHANGE_WORDS[kind].word} <span className="text-second">({CHANGE_WORDS[kind].meaning})</span>
          </span>
        ))}
        <span>
          <b>{formatCount(counts.same)}</b> the same
        </span>
      </p>
      <Section title="Recipe">
        {recipe.length === 0 ? (
          <p className="text-sm text-second">Both were built with the same recipe.</p>
        ) : (
          <Table
            caption="Recipe differences"
            columns={[
              { id: 'path', label: 'Setting', className: 'font-mono text-xs', cell: ({ path }) => path },
              { id: 'a', label: 'First', className: 'font-mono text-xs break-all', cell: (one) => valueText(one.a) },
              { id: 'b', label: 'Second', className: 'font-mono text-xs break-all', cell: (one) => valueText(one.b) },
            ]}
            rows={recipe}
            keyOf={({ path }) => path}
          />
        )}
      </Section>
      <Section title="Rows that differ">
        {differenceCount === 0 ? (
          <p className="text-sm text-second">Both versions contain the same rows in the same splits.</p>
        ) : (
          <div className="flex h-[50vh] flex-col rounded border border-line">
            <VirtualList
              items={items}
              total={differenceCount}
              estimate={36}
              keyOf={({ exampleId }) => exampleId}
              label="Rows that differ"
              onEnd={more}
            >
              {(item) => <ChangeLine item={item} a={first.a.id} b={first.b.id} />}
            </VirtualList>
          </div>
        )}
      </Section>
    </>
  )
}

const ChangeLine = ({ item, a, b }: { item: Change; a: string; b: string }) => (
  <div className="grid h-9 grid-cols-[6rem_minmax(0,1fr)_8rem_8rem_7rem] items-center gap-4 border-b border-line px-3 text-sm">
    <span>
      <Badge tone={CHANGE_WORDS[item.change].tone}>{CHANGE_WORDS[item.change].word}</Badge>
    </span>
    <span className="truncate font-mono text-xs text-second">{item.exampleId}</span>
    <Place place={item.a} dataset={a} />
    <Place place={item.b} dataset={b} />
    {item.traceId === null ? (
      <span className="text-second">Imported</span>
    ) : (
      <TextLink href={traceHref(item.traceId)}>Open session</TextLink>
    )}
  </div>
)

const Place = ({ place, dataset }: { place: Change['a']; dataset: string }) =>
  place === null ? (
    <span className="text-second">Missing</span>
  ) : (
    <TextLink href={`/factory/datasets/${dataset}?tab=rows&split=${place.split}&row=${place.index}`}>
      Row {place.index}, {SPLIT_WORDS[place.split].toLowerCase()}
    </TextLink>
  )

const valueText = (value: unknown): string => (value === null || value === undefined ? 'not set' : JSON.stringify(value))
