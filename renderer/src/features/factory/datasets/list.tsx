import { FileInput, GitCompare, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { DatasetSummary, RowCollection } from '#contracts/entities/dataset.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { formatBytes, formatCount, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { TableSkeleton } from '../skeletons.tsx'
import { Table, type Column } from '#renderer/ui/table.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { useBuild } from './new/use-build.ts'
import { useCollections, useDatasets } from './queries.ts'
import { KIND_WORDS } from './words.ts'

const NEW = (
  <ButtonLink href="/factory/datasets/new" look="primary">
    New data set
  </ButtonLink>
)

/** Versions of all data sets, newest first, grouped by name. */
export function DatasetList() {
  const list = useDatasets()
  const collections = useCollections()
  const build = useBuild()
  const [, go] = useLocation()
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([])
  const { rows: versions, more } = useRows(list)
  const names = useMemo(() => [...Map.groupBy(versions, ({ name }) => name)], [versions])
  const isEmpty = list.data !== undefined && versions.length === 0
  const toggle = (id: string) =>
    setSelectedIds((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id].slice(-2)))
  return (
    <Page
      title="Data sets"
      summary="Rows to train models on. A version never changes; each build creates a new one."
      actions={
        <>
          {isEmpty ? null : (
            <Button
              icon={GitCompare}
              reason={selectedIds.length === 2 ? null : 'Select two versions first.'}
              onClick={() => go(`/factory/datasets/compare?a=${selectedIds[0]}&b=${selectedIds[1]}`)}
            >
              Compare
            </Button>
          )}
          <ButtonLink href="/factory/datasets/import">
            <FileInput size={16} aria-hidden /> Import rows
          </ButtonLink>
          {isEmpty ? null : NEW}
        </>
      }
    >
      {build.running ? <JobProgress name="Building a data set" job={build.running} /> : null}
      {list.error && !list.data ? (
        <ErrorState title="Couldn't load the data sets" error={list.error} retry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? <TableSkeleton label="Loading data sets" /> : null}
      {isEmpty ? (
        <EmptyState title="No data sets yet" action={NEW}>
          A data set contains every example of the selected sessions except those you rejected; a recipe can ask for accepted ones only.
          Duplicates and personal data are removed, and no session is in both training and validation.
        </EmptyState>
      ) : null}
      {names.map(([name, items]) => (
        <Section key={name} title={name} note={plural(items.length, 'version')}>
          <Table caption={`Versions of ${name}`} columns={columnsOf(selectedIds, toggle)} rows={items} keyOf={({ id }) => id} />
        </Section>
      ))}
      {list.hasNextPage ? (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={more}>
            Show older versions
          </Button>
        </div>
      ) : null}
      {collections.data && collections.data.items.length > 0 ? <Collections items={collections.data.items} /> : null}
    </Page>
  )
}

/** All columns except the version have a fixed width, so that the tables align. */
const columnsOf = (selectedIds: readonly string[], toggle: (id: string) => void): Column<DatasetSummary>[] => [
  {
    id: 'mark',
    label: 'Compare',
    className: 'w-20 align-middle',
    cell: ({ id, name, version }) => (
      <Checkbox label={`Compare ${name} v${version}`} checked={selectedIds.includes(id)} onChange={() => toggle(id)} />
    ),
  },
  {
    id: 'version',
    label: 'Version',
    cell: ({ id, name, version }) => (
      <TextLink href={`/factory/datasets/${id}`}>
        {name} v{version}
      </TextLink>
    ),
  },
  { id: 'kind', label: 'Kind', className: 'w-48', cell: ({ kind }) => KIND_WORDS[kind].label },
  ...(['train', 'val', 'test'] as const).map((split): Column<DatasetSummary> => ({
    id: split,
    label: { train: 'Train', val: 'Validation', test: 'Test' }[split],
    numeric: true,
    className: 'w-24',
    cell: ({ id, counts }) =>
      counts[split] === 0 ? (
        <span className="text-second">0</span>
      ) : (
        <TextLink href={`/factory/datasets/${id}?tab=rows&split=${split}`}>{formatCount(counts[split])}</TextLink>
      ),
  })),
  { id: 'sessions', label: 'Sessions', numeric: true, className: 'w-24', cell: ({ counts }) => formatCount(counts.sessions) },
  { id: 'size', label: 'Size', numeric: true, className: 'w-24', cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  {
    id: 'runs',
    label: 'Runs',
    className: 'w-24',
    cell: ({ runs }) => (runs.length === 0 ? <span className="text-second">none yet</span> : <Badge>{plural(runs.length, 'run')}</Badge>),
  },
  { id: 'created', label: 'Built', className: 'w-32', cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]

/** Imported rows, which recipes may include. */
function Collections({ items }: { items: RowCollection[] }) {
  const queries = useQueryClient()
  const offline = useOfflineReason()
  const [removing, setRemoving] = useState<RowCollection | null>(null)
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteCollection({ params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: datasetKeys.all }),
    meta: { title: "Couldn't remove the rows" },
  })
  const columns: Column<RowCollection>[] = [
    { id: 'name', label: 'Name', cell: ({ name }) => name },
    { id: 'kind', label: 'Kind', cell: ({ kind }) => KIND_WORDS[kind].label },
    { id: 'rows', label: 'Rows', numeric: true, cell: ({ rows }) => formatCount(rows) },
    { id: 'source', label: 'File', className: 'font-mono text-xs break-all', cell: ({ source }) => source },
    { id: 'taken', label: 'Imported', cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
    {
      id: 'remove',
      label: 'Remove',
      cell: (one) => (
        <IconButton label={`Remove ${one.name}`} icon={Trash2} size="small" reason={offline} onClick={() => setRemoving(one)} />
      ),
    },
  ]
  return (
    <Section title="Imported rows" note="Recipes include them by name">
      <Table caption="Imported rows" columns={columns} rows={items} keyOf={({ id }) => id} />
      <Confirm
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={`Remove ${removing?.name ?? ''}?`}
        action="Remove rows"
        onConfirm={() => removing && remove.mutate(removing.id)}
      >
        <p>This removes {plural(removing?.rows ?? 0, 'imported row')}. Versions built with them and the original file stay unchanged.</p>
      </Confirm>
    </Section>
  )
}
