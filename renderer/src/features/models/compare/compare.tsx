import { X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { Model } from '#contracts/entities/model.ts'
import { api } from '#renderer/api/client.ts'
import { modelKeys } from '#renderer/api/models.ts'
import { modelHref } from '#renderer/app/links.ts'
import { ModelVerdict } from '#renderer/app/verdict.tsx'
import { useModelWord } from '#renderer/app/words/models.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { DASH, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { missingSentence, isMissing, SomeMissing } from '#renderer/ui/not-read.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { bestOf, differenceOf, ELSEWHERE, ELSEWHERE_WHY, figureOf, inOrder, measuredElsewhere, sharesData } from '../figures.ts'
import { MAX_COMPARED } from '../list/filter.ts'
import { useComparison, useOtherModels } from '../queries.ts'
import { ALL_MODELS, deviceWord, strategyWord } from '../words.ts'
import { Trends } from './trend-chart.tsx'

/** Compares two to six models: their facts, every figure with its best value marked, and the trend of the models of one data set. */
export default function CompareModels() {
  const [search, change] = useSearchState()
  const requestedIds = useMemo(() => [...new Set((search.get('ids') ?? '').split(',').filter(Boolean))], [search])
  const ids = useMemo(() => requestedIds.slice(0, MAX_COMPARED), [requestedIds])
  const models = useQueries({
    queries: ids.map((id) => ({
      queryKey: modelKeys.one(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.getModel({ params: { id }, signal }),
    })),
  })
  // a model in the address may have been deleted; the remaining models are compared
  const existingIds = ids.filter((_, at) => !isMissing(models[at]?.error))
  const missingCount = ids.length - existingIds.length
  const isEnough = existingIds.length >= 2
  const figures = useComparison(existingIds, isEnough && models.every((one) => !one.isPending))
  const error = figures.error ?? models.find((one) => one.error && !isMissing(one.error))?.error ?? null
  const loadedModels = models.flatMap(({ data }) => data ?? [])
  const all = useOtherModels()
  const setIds = (next: readonly string[]) => change({ ids: next.join(',') })
  return (
    <Page
      title="Compare models"
      summary={
        <>
          Differences are relative to the first.{' '}
          {requestedIds.length > ids.length ? `Only the first ${ids.length} of ${requestedIds.length} models are compared. ` : ''}
          <TextLink href="/models">All models</TextLink>
        </>
      }
    >
      {isEnough ? null : (
        <EmptyState
          title="Select at least two models"
          action={missingCount > 0 ? <ButtonLink href={ALL_MODELS.href}>{ALL_MODELS.label}</ButtonLink> : null}
        >
          {missingCount > 0 ? `${missingSentence(missingCount, 'model')} ` : ''}
          Select them in the list with their checkboxes or the X key, then compare them.
        </EmptyState>
      )}
      {isEnough ? <SomeMissing count={missingCount} what="model" onLeaveOut={() => setIds(existingIds)} /> : null}
      {error && !figures.data ? (
        <ErrorState title="Couldn't compare the models" error={error} retry={() => void figures.refetch()} />
      ) : null}
      {isEnough && !error && (figures.data === undefined || loadedModels.length < existingIds.length) ? (
        <Loading label="Comparing" className="flex flex-col gap-3">
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-80 w-full" />
        </Loading>
      ) : null}
      {figures.data && loadedModels.length === existingIds.length && isEnough ? (
        <>
          <Section title="Figures" note={`The best value in each row is marked; ${DASH} = not measured`}>
            <FigureTable
              models={loadedModels}
              values={figures.data}
              onFirst={(id) => setIds([id, ...ids.filter((one) => one !== id)])}
              onRemove={(id) => setIds(ids.filter((one) => one !== id))}
            />
          </Section>
          <Trends models={all} first={loadedModels[0]} />
        </>
      ) : null}
    </Page>
  )
}

interface TableProps {
  models: readonly Model[]
  values: Record<string, Record<string, number | null>>
  onFirst: (id: string) => void
  onRemove: (id: string) => void
}

function FigureTable({ models, values, onFirst, onRemove }: TableProps) {
  const [all, setAll] = useState(false)
  const evaluations = new Set(models.flatMap((model) => model.evaluations.map(({ name }) => name)))
  const figures = inOrder([...new Set(Object.values(values).flatMap((one) => Object.keys(one)))]).map((id) => figureOf(id, evaluations))
  const [measured, unknown] = partition(figures, ({ id }) => models.some((model) => (values[model.id]?.[id] ?? null) !== null))
  const ofTrainer = measured.filter(({ isOfTrainer }) => isOfTrainer)
  const shown = all ? measured : measured.filter(({ isOfTrainer }) => !isOfTrainer)
  const missing = unknown.filter(({ isOfTrainer }) => !isOfTrainer).map(({ label }) => label)
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Figures of the models</caption>
        <thead>
          <tr className="border-b border-line align-top">
            <th scope="col" className="py-1.5 pr-4 text-left text-xs font-normal text-second">
              Figure
            </th>
            {models.map((model, index) => (
              <th key={model.id} scope="col" className="min-w-36 py-1.5 pl-4 text-right font-normal">
                <HeadCell model={model} isFirst={index === 0} onFirst={onFirst} onRemove={models.length > 2 ? onRemove : null} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Facts models={models} />
          <tr className="border-b border-line">
            <th scope="row" className="min-w-40 py-1.5 pr-4 text-left font-normal text-second">
              Verdict
            </th>
            {models.map((model) => (
              <td key={model.id} className="py-1.5 pl-4 text-right">
                <ModelVerdict model={model} />
              </td>
            ))}
          </tr>
          {shown.map(({ id, label, better, format, isOfData }) => {
            const measuredRow = models.map((model) => values[model.id]?.[id] ?? null)
            const elsewhere = measuredElsewhere({ id, isOfData }, models, (model) => values[model.id]?.[id] ?? null)
            const isOther = models.map((model) => elsewhere.has(model.id))
            const row = measuredRow.map((value, index) => (isOther[index] ? null : value))
            const best = bestOf(row, better)
            return (
              <tr key={id} className="border-b border-line last:border-b-0">
                <th scope="row" className="min-w-40 py-1.5 pr-4 text-left font-normal text-second">
                  {label}
                </th>
                {row.map((value, index) => {
                  const difference = index === 0 ? null : differenceOf(value, row[0] ?? null, format)
                  return (
                    <td key={models[index]?.id} className="py-1.5 pl-4 text-right whitespace-nowrap">
                      {isOther[index] ? (
                        <span className="text-xs text-second" title={ELSEWHERE_WHY}>
                          {ELSEWHERE}
                        </span>
                      ) : value === null ? (
                        <span className="text-second">
                          <span aria-hidden>{DASH}</span>
                          <span className="sr-only">not measured</span>
                        </span>
                      ) : (
                        <span className="inline-flex items-baseline justify-end gap-2 font-mono text-xs">
                          {difference === null ? null : <span className="text-second">{difference}</span>}
                          {best.has(index) ? <Badge tone="ok">best</Badge> : null}
                          <span className={cn(best.has(index) && 'font-semibold')}>{format(value)}</span>
                        </span>
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
      {sharesData(models) ? null : (
        <p className="max-w-[90ch] pt-2 text-sm text-second">
          The strategies or data sets differ, so losses, accuracies and rewards are shown of the first one only.
        </p>
      )}
      {missing.length > 0 ? (
        <p className="max-w-[90ch] pt-2 text-sm text-second">Not measured for any of them: {missing.join(', ')}.</p>
      ) : null}
      {ofTrainer.length > 0 ? (
        <Button look="quiet" size="small" aria-pressed={all} className="mt-2" onClick={() => setAll(!all)}>
          {all ? 'Hide trainer figures' : `Show ${plural(ofTrainer.length, 'trainer figure')}`}
        </Button>
      ) : null}
    </div>
  )
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}

function HeadCell({
  model,
  isFirst,
  onFirst,
  onRemove,
}: {
  model: Model
  isFirst: boolean
  onFirst: (id: string) => void
  onRemove: ((id: string) => void) | null
}) {
  return (
    <span className="flex flex-col items-end gap-1">
      <TextLink href={modelHref(model.id)} className="max-w-56 truncate font-semibold">
        {model.name}
      </TextLink>
      <span className="flex items-center gap-1">
        {isFirst ? (
          <span className="text-xs text-second">the first</span>
        ) : (
          <Button size="small" look="quiet" onClick={() => onFirst(model.id)}>
            Make it the first
          </Button>
        )}
        {onRemove ? <IconButton size="small" icon={X} label={`Leave out ${model.name}`} onClick={() => onRemove(model.id)} /> : null}
      </span>
    </span>
  )
}

/** Facts about each model. A row is marked if its cells differ, because that may explain why the figures differ. */
function Facts({ models }: { models: readonly Model[] }) {
  const baseName = useModelWord()
  const facts: [label: string, of: (model: Model) => string | null][] = [
    ['Strategy', ({ lineage }) => strategyWord(lineage.strategy)],
    ['Base model', ({ lineage }) => baseName(lineage.baseModel)],
    ['Data set', ({ lineage }) => lineage.datasetName],
    ['Trained on', ({ training }) => training.device && deviceWord(training.device)],
    ['Answers measured on', ({ operational }) => operational.measuredOn],
  ]
  return facts.map(([label, of]) => {
    const row = models.map(of)
    const differs = new Set(row).size > 1
    return (
      <tr key={label} className="border-b border-line">
        <th scope="row" className="min-w-40 py-1.5 pr-4 text-left font-normal text-second">
          {label}
          {differs ? <span className="pl-2 text-xs text-warn">differs</span> : null}
        </th>
        {row.map((value, index) => (
          <td key={models[index]?.id} className="max-w-56 truncate py-1.5 pl-4 text-right" title={value ?? undefined}>
            {value ?? <span className="text-second">unknown</span>}
          </td>
        ))}
      </tr>
    )
  })
}
