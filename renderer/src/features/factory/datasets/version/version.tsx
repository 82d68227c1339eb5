import { Download, GitCompare, GraduationCap, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Dataset } from '#contracts/entities/dataset.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { newRunHref } from '#renderer/app/links.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { formatBytes, formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { VersionSkeleton } from '../../skeletons.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useDataset, useDatasets, useRemoveDataset } from '../queries.ts'
import { KIND_WORDS, SPLIT_WORDS } from '../words.ts'
import { Balance } from './balance.tsx'
import { DroppedRows } from './dropped.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Funnel } from './funnel.tsx'
import { Lengths } from './lengths.tsx'
import { Manifest } from './manifest.tsx'
import { PrivacyPart } from './privacy-part.tsx'
import { UsesList } from './uses.tsx'
import { VersionRows } from './rows.tsx'

const ALL_DATASETS = { href: '/factory/datasets', label: 'All data sets' }

const TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'rows', label: 'Rows' },
  { id: 'dropped', label: 'Excluded' },
  { id: 'manifest', label: 'Recipe and manifest' },
] as const

/** One version: its funnel, its rows, what was excluded, its manifest. */
export default function Version({ id }: { id: string }) {
  const dataset = useDataset(id)
  if (dataset.error && !dataset.data)
    return <NotRead what="data set" error={dataset.error} retry={() => void dataset.refetch()} all={ALL_DATASETS} />
  if (!dataset.data) return <VersionSkeleton />
  return <Loaded key={id} dataset={dataset.data} />
}

function Loaded({ dataset }: { dataset: Dataset }) {
  const [search] = useSearchState()
  const tab = TABS.find(({ id }) => id === search.get('tab'))?.id ?? 'overview'
  useTitle(`${dataset.name} v${dataset.version}`)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Header dataset={dataset} />
      <nav aria-label="Parts of the version" className="flex h-9 shrink-0 items-stretch gap-1 border-b border-line px-3">
        {TABS.map(({ id, label }) => (
          <Link
            key={id}
            href={`/factory/datasets/${dataset.id}${id === 'overview' ? '' : `?tab=${id}`}`}
            aria-current={id === tab ? 'page' : undefined}
            className={cn(
              'focus-inset flex items-center px-3 text-sm hover:text-text',
              id === tab ? 'font-semibold text-text shadow-[inset_0_-2px_0_var(--accent)]' : 'text-second',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      {tab === 'overview' ? <Overview dataset={dataset} /> : null}
      {tab === 'rows' ? <VersionRows dataset={dataset} /> : null}
      {tab === 'dropped' ? <DroppedRows dataset={dataset} /> : null}
      {tab === 'manifest' ? <Manifest dataset={dataset} /> : null}
    </div>
  )
}

const Overview = ({ dataset }: { dataset: Dataset }) => (
  <div className="min-h-0 flex-1 overflow-y-auto">
    <div className="mx-auto flex w-full max-w-[1288px] flex-col gap-8 px-6 py-5">
      <Funnel dataset={dataset} />
      <Balance dataset={dataset} />
      <Lengths dataset={dataset} />
      <PrivacyPart dataset={dataset} />
    </div>
  </div>
)

function Header({ dataset }: { dataset: Dataset }) {
  const { id, name, version, kind, files, sizeBytes, createdAt } = dataset
  const offline = useOfflineReason()
  const [, go] = useLocation()
  const [dialog, setDialog] = useState<'remove' | 'export' | null>(null)
  const remove = useRemoveDataset(() => go('/factory/datasets'))
  const datasets = useDatasets()
  const previous = datasets.data?.pages.flatMap(({ items }) => items).find((one) => one.name === name && one.version < version)
  const uses = dataset.lineage
  return (
    <>
      <PageHead
        heading={`${name} v${version}`}
        marks={<Badge>{KIND_WORDS[kind].label}</Badge>}
        summary={
          <>
            {files.map(({ split, rows }) => `${formatCount(rows)} ${SPLIT_WORDS[split].toLowerCase()}`).join(', ') || 'no rows'} ·{' '}
            {formatBytes(sizeBytes)} · built <RelativeTime at={createdAt} /> ·{' '}
            <TextLink href="/factory/datasets" className="whitespace-nowrap">
              All data sets
            </TextLink>
          </>
        }
        actions={
          <>
            <Button
              icon={GitCompare}
              reason={previous ? null : 'There is no earlier version of this data set.'}
              onClick={() => previous && go(`/factory/datasets/compare?a=${previous.id}&b=${id}`)}
            >
              Compare with {previous ? `v${previous.version}` : 'previous version'}
            </Button>
            <Button look="quiet" icon={Trash2} reason={offline} busy={remove.isPending} onClick={() => setDialog('remove')}>
              Remove …
            </Button>
            <Button icon={Download} reason={files.length === 0 ? 'This version has no rows.' : null} onClick={() => setDialog('export')}>
              Export …
            </Button>
            <Button
              look="primary"
              icon={GraduationCap}
              reason={dataset.counts.train === 0 ? 'This version has no rows to train on.' : null}
              onClick={() => go(newRunHref(dataset))}
            >
              Train on this
            </Button>
          </>
        }
      />
      <Confirm
        open={dialog === 'remove'}
        onOpenChange={() => setDialog(null)}
        title={`Remove ${name} v${version}?`}
        action="Remove version"
        reason={uses.runs.length === 0 ? null : 'Delete the runs that use it first.'}
        onConfirm={() => remove.mutate(id)}
      >
        {uses.runs.length === 0 ? (
          <>
            <p>No run or model uses this version.</p>
            <p>Its files are kept for 30 days, and you can undo the removal until then. Exports stay where they are.</p>
          </>
        ) : (
          <>
            <p>Runs were started with this version. Delete those runs and their models first.</p>
            <UsesList uses={uses} />
          </>
        )}
      </Confirm>
      {dialog === 'export' ? <ExportDialog dataset={dataset} onClose={() => setDialog(null)} /> : null}
    </>
  )
}
