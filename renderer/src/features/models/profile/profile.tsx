import { lazy, Suspense, useState } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { Badge } from '#renderer/ui/badge.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useModel } from '#renderer/api/models.ts'
import { ALL_MODELS } from '../words.ts'
import { AtWork } from './at-work.tsx'
import { Artifacts } from './artifacts.tsx'
import { Benchmarks } from './benchmarks.tsx'
import { ExportDialog, Outcome } from './export-dialog.tsx'
import { Figures } from './figures.tsx'
import { Head } from './head.tsx'
import { InUse } from './in-use.tsx'
import { LineageGraph } from './lineage-graph.tsx'
import { ProbePart } from './probe.tsx'
import { UseIt } from './use-it.tsx'
import { useExport } from './use-export.ts'

const Card = lazy(() => import('./card.tsx'))

/** The page of one model: its figures, files and origin, or its card. */
export default function Profile({ id }: { id: string }) {
  const model = useModel(id)
  if (model.error && !model.data) return <NotRead what="model" error={model.error} retry={() => void model.refetch()} all={ALL_MODELS} />
  if (!model.data) return <ProfileSkeleton />
  return <Loaded model={model.data} />
}

export const ProfileSkeleton = () => (
  <Loading label="Loading the model" className="flex flex-col gap-4 p-6">
    <Skeleton className="h-6 w-64" />
    <Skeleton className="w-96 max-w-full" />
    <Skeleton className="mt-4 h-48 w-full" />
    <Skeleton className="h-32 w-full" />
  </Loading>
)

function Loaded({ model }: { model: Model }) {
  const [search] = useSearchState()
  const [exporting, setExporting] = useState(false)
  const work = useExport(model.id)
  const isCard = search.get('tab') === 'card'
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Head model={model} tab={isCard ? 'card' : 'overview'} onExport={() => setExporting(true)} />
      {isCard ? (
        <Suspense fallback={<ProfileSkeleton />}>
          <Card model={model} />
        </Suspense>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex w-full max-w-[1288px] flex-col gap-8 px-6 py-5">
            <RestoredWaits id={model.id} />
            {exporting ? null : <Outcome work={work} />}
            <InUse id={model.id} />
            <AtWork id={model.id} />
            <Figures model={model} />
            <Benchmarks model={model} />
            <ProbePart model={model} />
            <Artifacts model={model} marked={search.get('artifact')} />
            <UseIt model={model} />
            <LineageGraph model={model} />
            <Words model={model} />
          </div>
        </div>
      )}
      {exporting ? <ExportDialog model={model} work={work} onClose={() => setExporting(false)} /> : null}
    </div>
  )
}

function Words({ model: { tags, note } }: { model: Model }) {
  if (tags.length === 0 && note === null) return null
  return (
    <Section title="Tags and note">
      <div className="flex flex-wrap gap-1.5">
        {tags.map((tag) => (
          <Badge key={tag}>
            <TextLink href={`/models?tag=${encodeURIComponent(tag)}`}>{tag}</TextLink>
          </Badge>
        ))}
      </div>
      {note ? <p className="max-w-[90ch] text-sm break-words whitespace-pre-wrap">{note}</p> : null}
    </Section>
  )
}
