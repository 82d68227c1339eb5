import { Pause, Play, Repeat, Trash2, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Run } from '#contracts/entities/run.ts'
import { countingVerdict } from '#contracts/exam-words.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useModel } from '#renderer/api/models.ts'
import { isItBetterHref, modelHref } from '#renderer/app/links.ts'
import { ModelVerdict } from '#renderer/app/verdict.tsx'
import { useModelWord } from '#renderer/app/words/models.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { DASH, formatBytes, formatCompact, formatCount, formatPercent, formatValue } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Above, PageHead } from '#renderer/ui/page.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { Swatch } from '#renderer/ui/curves/swatch.tsx'
import { Elapsed } from '../elapsed.tsx'
import { useDeleteRun, useRunActions } from '../queries.ts'
import { RunStar } from '../run-star.tsx'
import { etaOf, formatMegabytes, isOver, phaseOf, rowsWord, shareOf, STATE_WORDS, STRATEGY_WORDS } from '../words.ts'
import { Annotations } from './annotations.tsx'
import { CancelDialog } from './cancel-dialog.tsx'

/** The state of a run, its progress and speed, and the buttons to control it. */
export function RunHeader({ run }: { run: Run }) {
  const actions = useRunActions(run.id)
  const offline = useOfflineReason()
  const baseName = useModelWord()
  const [, go] = useLocation()
  const [openDialog, setOpenDialog] = useState<'cancel' | 'delete' | null>(null)
  const remove = useDeleteRun(() => go('/training'))
  const word = STATE_WORDS[run.state]
  const phase = phaseOf(run)
  const rows = rowsWord(run)
  const pauseBlocker = pauseBlockerOf(run)
  const canResume = run.state === 'paused' || (run.canResume && (run.state === 'failed' || run.state === 'cancelled'))
  useAnnounce(`${run.name}: ${word.label}${phase ? `, ${phase}` : ''}`)
  useKeys({
    pauseRun: () => {
      if (offline !== null) return
      if (canResume) actions.resume.mutate()
      else if (pauseBlocker === null) actions.pause.mutate()
    },
    cancelRun: () => {
      if (!isOver(run) && offline === null) setOpenDialog('cancel')
    },
  })
  return (
    <PageHead
      trail={
        <>
          <Above>
            <TextLink href="/training">Training</TextLink>
          </Above>
          <Swatch {...lookOf(run)} />
        </>
      }
      heading={run.name}
      marks={<RunStar run={run} />}
      summary={
        <span title={run.baseModel}>
          {STRATEGY_WORDS[run.strategy].label} of {baseName(run.baseModel)}
          {run.datasetName === null ? '' : ` on ${run.datasetName}`}
        </span>
      }
      actions={
        <>
          {canResume ? (
            <Button
              look="primary"
              icon={Play}
              keys={keyOf('pauseRun')}
              reason={offline}
              busy={actions.resume.isPending}
              onClick={() => actions.resume.mutate()}
            >
              Resume run
            </Button>
          ) : isOver(run) ? null : (
            <Button
              icon={Pause}
              keys={keyOf('pauseRun')}
              reason={offline ?? pauseBlocker}
              busy={actions.pause.isPending}
              onClick={() => actions.pause.mutate()}
            >
              Pause run
            </Button>
          )}
          {isOver(run) ? null : (
            <Button
              icon={X}
              keys={keyOf('cancelRun')}
              reason={offline}
              busy={actions.cancel.isPending}
              onClick={() => setOpenDialog('cancel')}
            >
              Cancel run …
            </Button>
          )}
          <Button icon={Repeat} onClick={() => go(`/training/new?from=${run.id}`)}>
            Run again with changes
          </Button>
          {run.modelId === null ? null : (
            <>
              <ButtonLink href={modelHref(run.modelId)}>Open model</ButtonLink>
              <Proof modelId={run.modelId} />
            </>
          )}
          {isOver(run) ? <IconButton icon={Trash2} label="Delete run …" reason={offline} onClick={() => setOpenDialog('delete')} /> : null}
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <span className={cn('text-base font-semibold', word.ink)}>
          {word.label}
          {phase ? <span className="font-normal text-second"> · {phase}</span> : null}
          {rows === null ? null : <span className={cn('font-normal', run.unusedRows ? 'text-warn' : 'text-second')}> · {rows}</span>}
          {run.state === 'queued' && run.queuePosition !== null ? (
            <span className="font-normal text-second"> · position {run.queuePosition} in the queue</span>
          ) : null}
        </span>
        <Progress label="Steps done" value={shareOf(run)} className="min-w-32 flex-1" />
        <Fact label="step">
          {formatCount(run.step)} of {run.totalSteps === null ? DASH : formatCount(run.totalSteps)}
        </Fact>
        <Fact label="epoch">{run.epoch === null ? DASH : String(Number(run.epoch.toFixed(2)))}</Fact>
        <Fact label="loss">{formatValue(run.loss)}</Fact>
        {run.evalLoss === null ? null : <Fact label="eval loss">{formatValue(run.evalLoss)}</Fact>}
        {run.metrics['eval_arg_f1'] === undefined ? null : (
          <Fact label="argument F1" title="of held-out calls, answered greedily">
            {formatPercent(run.metrics['eval_arg_f1'])}
          </Fact>
        )}
        <Fact label="tokens/s">{run.tokensPerSec === null ? DASH : formatCompact(Math.round(run.tokensPerSec))}</Fact>
        <Fact label="elapsed">
          <Elapsed run={run} />
        </Fact>
        {isOver(run) || run.state === 'paused' ? (
          <Fact
            label={run.peakVramMb === null ? 'peak memory' : 'peak on the GPU'}
            title={run.estimateBytes === null ? undefined : `the estimate was ${formatBytes(run.estimateBytes)}`}
          >
            {formatMegabytes(run.peakVramMb ?? run.peakRssMb)}
          </Fact>
        ) : (
          <Fact label="left">{etaOf(run)?.replace(' left', '') ?? DASH}</Fact>
        )}
      </div>
      <Annotations run={run} />
      <CancelDialog
        open={openDialog === 'cancel'}
        onClose={() => setOpenDialog(null)}
        run={run}
        onCancel={(keep) => {
          setOpenDialog(null)
          actions.cancel.mutate(keep)
        }}
      />
      <Confirm
        open={openDialog === 'delete'}
        onOpenChange={(open) => !open && setOpenDialog(null)}
        title={`Delete ${run.name}?`}
        action="Delete"
        onConfirm={() => remove.mutate(run.id)}
      >
        <p>
          Its curves, log and folder will be deleted{run.sizeBytes === null ? '' : `: ${formatBytes(run.sizeBytes)}`}. This cannot be
          undone.
        </p>
      </Confirm>
    </PageHead>
  )
}

/** After a run there is one question: whether its model is better. Once it is answered, the verdict. */
function Proof({ modelId }: { modelId: string }) {
  const model = useModel(modelId).data
  if (!model) return null
  return countingVerdict(model.evaluations) === null ? (
    <ButtonLink href={isItBetterHref(modelId)} look="primary">
      Is it better?
    </ButtonLink>
  ) : (
    <ModelVerdict model={model} />
  )
}

/** Why the run cannot be paused now; null if it can. */
function pauseBlockerOf(run: Run): string | null {
  if (run.state === 'pausing') return 'The run is already stopping; it saves its progress first.'
  if (run.state === 'queued') return 'The run has not started. Pause the queue, or cancel the run.'
  return null
}

function Fact({ label, title, children }: { label: string; title?: string | undefined; children: ReactNode }) {
  return (
    <span className="flex items-baseline gap-1.5 text-sm" title={title}>
      <span className="text-xs text-second">{label}</span>
      <span className="font-mono text-[13px]">{children}</span>
    </span>
  )
}
