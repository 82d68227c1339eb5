import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PlanNote, RunPlan } from '#contracts/entities/run.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { formatBytes, formatCompact, formatCount, formatDuration, formatParameters, formatPercent, plural } from '#renderer/ui/format.ts'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { changeWords } from './draft.ts'
import { LengthBars } from './length-bars.tsx'
import { MemoryBar } from './memory-bar.tsx'

const FITS = {
  yes: { word: 'Fits', ink: 'text-ok' },
  tight: { word: 'Tight', ink: 'text-warn' },
  no: { word: 'Does not fit', ink: 'text-bad' },
  unknown: { word: 'Fit unknown', ink: 'text-second' },
} as const
const NOT_MEASURED = 'not measured'

/** What a start would do, as it is known now. */
export function PlanRail({
  plan,
  error,
  retry,
  isOld,
  strategy,
  wants,
  onApply,
}: {
  plan: RunPlan | null
  error: Error | null
  retry: () => unknown
  isOld: boolean
  strategy: TrainStrategy
  wants: string | null
  /** Puts what a note advises into the form. */
  onApply: (change: NonNullable<PlanNote['apply']>) => void
}) {
  if (wants !== null) return <p className="text-sm text-second">{wants}</p>
  if (error) return <ErrorState title="No plan" error={error} retry={() => void retry()} />
  if (!plan) {
    return (
      <Loading label="Making the plan" className="flex flex-col gap-3">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-20 w-full" />
      </Loading>
    )
  }
  const { memory, device, settings } = plan
  const fit = FITS[plan.fits]
  // its own answers carry the loss: how long they will be nobody knows yet
  const learnsFromAnswers = plan.tokens === null ? strategy === 'grpo' || strategy === 'rlvr' : plan.trainedTokens === null
  return (
    <div className="flex flex-col gap-4" aria-busy={isOld || undefined}>
      <Headline plan={plan} strategy={strategy} learnsFromAnswers={learnsFromAnswers} />
      <Notes notes={plan.notes} onApply={onApply} />
      <div className="flex flex-col gap-1.5">
        <h3 className="flex items-baseline gap-2 text-sm font-semibold">
          Memory <span className={fit.ink}>{fit.word}</span>
          <span className="flex-1 text-right text-xs font-normal text-second">
            {memory ? `about ${formatBytes(memory.total)}` : NOT_MEASURED} of{' '}
            {device.freeBytes === null ? NOT_MEASURED : `${formatBytes(device.freeBytes)} free`}
          </span>
        </h3>
        {memory ? <MemoryBar memory={memory} device={device} /> : null}
        <p className="text-xs text-second">
          {device.kind === 'cuda' ? device.name : `CPU: ${device.name}`}
          {device.cores === null ? '' : `, ${device.cores} cores`}
        </p>
      </div>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1 text-sm [&>dd]:text-right [&>dd]:font-mono [&>dd]:text-xs">
        {plan.episodesAtOnce === null ? null : <Fact term="Episodes at once">{formatCount(plan.episodesAtOnce)} at most</Fact>}
        <Fact term={plan.episodesAtOnce === null ? 'Rows' : 'Tasks'}>
          {plan.rows === 0 ? NOT_MEASURED : formatCount(plan.rows)}
          {plan.rows !== plan.fileRows && plan.rows > 0 ? ` from ${formatCount(plan.fileRows)}` : ''}
          {plan.valRows > 0 ? ` + ${formatCount(plan.valRows)} ${plan.episodesAtOnce === null ? 'for validation' : 'held out'}` : ''}
        </Fact>
        <Fact term={`Tokens${learnsFromAnswers ? ' in prompts' : ''}${plan.tokensExact ? '' : ' (estimate)'}`}>
          {plan.tokens === null ? NOT_MEASURED : formatCompact(plan.tokens)}
        </Fact>
        {learnsFromAnswers ? null : (
          <Fact term="trained">
            {plan.trainedTokens === null
              ? NOT_MEASURED
              : `${formatCompact(plan.trainedTokens)}${plan.tokens ? ` (${formatPercent(plan.trainedTokens / plan.tokens)})` : ''}`}
          </Fact>
        )}
        <Fact term="Steps">
          {plan.rows === 0 ? NOT_MEASURED : `${formatCount(plan.steps)} (${formatCount(plan.stepsPerEpoch)} per epoch)`}
        </Fact>
        <Fact term="Parameters">{plan.parameters === null ? NOT_MEASURED : formatParameters(plan.parameters)}</Fact>
        <Fact term="trained">
          {plan.trainable === null
            ? NOT_MEASURED
            : `${formatParameters(plan.trainable)}${plan.parameters ? ` (${formatPercent(plan.trainable / plan.parameters, 1)})` : ''}`}
        </Fact>
        <Fact term="Time">
          {plan.seconds === null ? (
            <span title="No comparable run has been measured on this machine yet. A dry run measures two steps.">{NOT_MEASURED}</span>
          ) : (
            <span title={plan.seconds.from}>
              {formatDuration(plan.seconds.low * 1000)} to {formatDuration(plan.seconds.high * 1000)}
            </span>
          )}
        </Fact>
        <Fact term="Disk">
          {plan.diskBytes === null ? NOT_MEASURED : `about ${formatBytes(plan.diskBytes)}`}
          {plan.diskFreeBytes === null ? '' : ` of ${formatBytes(plan.diskFreeBytes)} free`}
        </Fact>
      </dl>
      {plan.lengths.length > 0 ? (
        <div className="flex flex-col gap-1">
          <h3 className="text-sm font-semibold">Rows by length</h3>
          <LengthBars lengths={plan.lengths} maxLength={settings.maxLength} />
          <p className="text-xs text-second">
            Longest {formatCount(plan.longest)} tokens; the max length is {formatCount(settings.maxLength)}.
          </p>
        </div>
      ) : null}
    </div>
  )
}

/** What a start would train on, and what it would leave out: the first thing to know. */
function Headline({ plan, strategy, learnsFromAnswers }: { plan: RunPlan; strategy: TrainStrategy; learnsFromAnswers: boolean }) {
  if (plan.leftOut === null) return null
  const { rows, fileRows, leftOut, tokensExact, learnableTokens, trainedTokens } = plan
  const about = tokensExact ? '' : 'About '
  const share = learnsFromAnswers || !learnableTokens ? null : (trainedTokens ?? 0) / learnableTokens
  return (
    <div className="flex flex-col gap-0.5">
      <h3 className={cn('text-base font-semibold', leftOut > 0 && 'text-warn')}>
        {about}
        {plural(rows, 'row')} {rows === 1 ? 'is' : 'are'} trained, {leftOut === 0 ? 'none' : plural(leftOut, unitOf(strategy))} left out
      </h3>
      <p className="text-xs text-second">
        {rows === fileRows ? '' : `Made from ${plural(fileRows, 'row')} of the data. `}
        {share === null ? '' : `${formatPercent(share, share === 1 ? 0 : 1)} of the tokens to learn from are trained.`}
      </p>
    </div>
  )
}

/** What does not fit: answers where long rows are split, else rows. */
const unitOf = (strategy: TrainStrategy) => (strategy === 'sft' ? 'answer' : 'row')

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <>
    <dt className="text-second">{term}</dt>
    <dd>{children}</dd>
  </>
)

const LEVELS = {
  refusal: { icon: CircleAlert, ink: 'text-bad', word: 'Prevents the start' },
  warning: { icon: TriangleAlert, ink: 'text-warn', word: 'Warning' },
  info: { icon: Info, ink: 'text-second', word: 'Note' },
} as const

/** Refusals first: they say why it cannot start, and what to do. */
function Notes({ notes, onApply }: { notes: readonly PlanNote[]; onApply: (change: NonNullable<PlanNote['apply']>) => void }) {
  if (notes.length === 0) return null
  const order = Object.keys(LEVELS)
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {notes
        .toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level))
        .map((note) => {
          const { icon: Icon, ink, word } = LEVELS[note.level]
          return (
            <li key={`${note.code} ${note.message}`} className="flex gap-2">
              <Icon size={16} aria-label={word} className={cn('mt-0.5 shrink-0', ink)} />
              <span className="min-w-0 break-words">
                <CodeText text={note.message} />
                {note.row === null ? null : (
                  <span className="text-second">
                    {' '}
                    Row {formatCount(note.row)}
                    {note.field ? `, ${note.field}` : ''}.
                  </span>
                )}
                {note.hint ? (
                  <span className="text-second">
                    {' '}
                    <CodeText text={note.hint} />
                  </span>
                ) : null}
                {note.apply ? (
                  <Button size="small" className="mt-1 flex" onClick={() => onApply(note.apply!)}>
                    {changeWords(note.apply)}
                  </Button>
                ) : null}
              </span>
            </li>
          )
        })}
    </ul>
  )
}
