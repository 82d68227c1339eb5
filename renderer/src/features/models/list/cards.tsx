import { useEffect, useRef, type ReactNode } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { datasetHref, modelHref } from '#renderer/app/links.ts'
import { ModelVerdict } from '#renderer/app/verdict.tsx'
import { useModelWord } from '#renderer/app/words/models.ts'
import type { Marks } from '#renderer/app/use-marks.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Spark } from '#renderer/ui/figures/spark.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatBytes } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ELSEWHERE, ELSEWHERE_WHY, figureOf, formatFigure, measuredElsewhere } from '../figures.ts'
import { ExportBadges, NotMeasured, StarOfModel } from '../parts.tsx'
import { strategyWord } from '../words.ts'

export function Cards({ models, marks }: { models: readonly Model[]; marks: Marks }) {
  const [evalLoss, loss] = [figureOf('eval_loss'), figureOf('loss')]
  const elsewhere = {
    evalLoss: measuredElsewhere(evalLoss, models, ({ training }) => training.evalLoss),
    loss: measuredElsewhere(loss, models, ({ training }) => training.loss),
  }
  return (
    <ul
      aria-label="Models"
      className="grid min-h-0 flex-1 auto-rows-min grid-cols-[repeat(auto-fill,minmax(300px,1fr))] gap-3 overflow-y-auto px-6 py-4"
    >
      {models.map((model) => (
        <Card
          key={model.id}
          model={model}
          marks={marks}
          hides={{ evalLoss: elsewhere.evalLoss.has(model.id), loss: elsewhere.loss.has(model.id) }}
        />
      ))}
    </ul>
  )
}

/** `hides`: losses that were measured on other rows than those of the cards beside it. */
function Card({ model, marks, hides }: { model: Model; marks: Marks; hides: Record<'evalLoss' | 'loss', boolean> }) {
  const { lineage, training, operational } = model
  const baseName = useModelWord()
  const isCurrent = marks.currentId === model.id
  const missing = [
    ...(training.evalLoss === null ? ['held-out loss'] : []),
    ...(training.loss === null ? ['loss'] : []),
    ...(operational.tokensPerSec === null ? ['speed'] : []),
  ]
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li
      ref={card}
      className={cn(
        'flex min-w-0 flex-col gap-2.5 rounded border bg-panel p-3 text-sm',
        marks.has(model.id) ? 'border-accent bg-accent/8' : 'border-line',
        isCurrent && 'current-row',
      )}
    >
      <div className="flex items-center gap-1">
        <Checkbox label={`Select ${model.name}`} checked={marks.has(model.id)} onChange={() => marks.mark(model.id)} />
        <h2 className="min-w-0 flex-1 text-base font-semibold">
          <TextLink href={modelHref(model.id)} className="block truncate text-text! no-underline! hover:underline!">
            {model.name}
          </TextLink>
        </h2>
        {model.archived ? <Badge>archived</Badge> : null}
        <StarOfModel model={model} />
      </div>
      <div className="flex min-w-0 items-center gap-1.5 text-xs text-second">
        <span className="shrink-0">{strategyWord(lineage.strategy)} on</span>
        <MiddleCut text={baseName(lineage.baseModel)} end={8} className="text-text" />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-xs">
        <dt className="text-second">Data set</dt>
        <dd className="truncate text-right">
          {lineage.datasetId === null ? (
            (lineage.datasetName ?? <NotMeasured why="The source of its rows is unknown." />)
          ) : (
            <TextLink href={datasetHref(lineage.datasetId)}>{lineage.datasetName ?? lineage.datasetId}</TextLink>
          )}
        </dd>
        <dt className="text-second">Verdict</dt>
        <dd className="flex justify-end">
          <ModelVerdict model={model} />
        </dd>
        {training.evalLoss === null ? null : (
          <Figure label="Loss on held-out rows">{hides.evalLoss ? <Elsewhere /> : formatFigure(training.evalLoss)}</Figure>
        )}
        {training.loss === null ? null : (
          <Figure label="Final loss">
            <Spark values={training.spark} label={`Loss of ${model.name} over its steps`} />
            {hides.loss ? <Elsewhere /> : formatFigure(training.loss)}
          </Figure>
        )}
        {operational.tokensPerSec === null ? null : (
          <Figure label="Tokens per second" title={operational.measuredOn ?? undefined}>
            {formatFigure(operational.tokensPerSec)}
          </Figure>
        )}
        <Figure label="Size on disk">{formatBytes(operational.sizeBytes)}</Figure>
        {missing.length === 0 ? null : (
          <>
            <dt className="text-second">Not measured</dt>
            <dd className="truncate text-right text-second" title={missing.join(', ')}>
              {missing.join(', ')}
            </dd>
          </>
        )}
      </dl>
      <div className="flex flex-wrap gap-1">
        <ExportBadges artifacts={model.artifacts} />
        {operational.status === 'serving' ? <Badge tone="accent">loaded</Badge> : null}
      </div>
      <div className="mt-auto flex min-w-0 items-center gap-2 text-xs text-second">
        <span className="min-w-0 flex-1 truncate">{model.tags.map((tag) => `#${tag}`).join(' ')}</span>
        <RelativeTime at={model.createdAt} className="shrink-0" />
      </div>
    </li>
  )
}

const Elsewhere = () => (
  <span className="font-sans text-second" title={ELSEWHERE_WHY}>
    {ELSEWHERE}
  </span>
)

const Figure = ({ label, title, children }: { label: string; title?: string | undefined; children: ReactNode }) => (
  <>
    <dt className="text-second">{label}</dt>
    <dd className="flex items-center justify-end gap-2 font-mono" title={title}>
      {children}
    </dd>
  </>
)
