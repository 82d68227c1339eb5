import type { ReactNode } from 'react'
import type { PlanNote, RunPlan } from '#contracts/entities/run.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatBytes, formatCompact, formatCount, formatDuration, formatParameters, formatPercent, plural } from '#renderer/ui/format.ts'
import { LEVEL_ORDER, NoteLine } from '#renderer/ui/note-line.tsx'
import { adviceLabel } from './draft.ts'
import { LengthBars } from './length-bars.tsx'
import { MemoryBar } from './memory-bar.tsx'

const FITS = {
  yes: { word: 'Fits', ink: 'text-ok' },
  tight: { word: 'Tight', ink: 'text-warn' },
  no: { word: 'Does not fit', ink: 'text-bad' },
  unknown: { word: 'Fit unknown', ink: 'text-second' },
} as const
const NOT_MEASURED = 'not measured'

interface Props {
  plan: RunPlan
  strategy: TrainStrategy
  /** Applies the advice of a note to the form. */
  onApply: (change: NonNullable<PlanNote['apply']>) => void
}

/** What the run would do: rows, memory, steps, time and disk. */
export function PlanRail({ plan, strategy, onApply }: Props) {
  const { memory, device, settings } = plan
  const fit = FITS[plan.fits]
  // the loss is computed on answers that the model has yet to generate, so their length is unknown
  const learnsFromAnswers = plan.tokens === null ? strategy === 'grpo' || strategy === 'rlvr' : plan.trainedTokens === null
  return (
    <>
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
    </>
  )
}

/** How many rows the run trains on, and how many are left out. */
function Headline({ plan, strategy, learnsFromAnswers }: { plan: RunPlan; strategy: TrainStrategy; learnsFromAnswers: boolean }) {
  if (plan.leftOut === null) return null
  const { rows, fileRows, leftOut, learnableTokens, trainedTokens } = plan
  const share = learnsFromAnswers || !learnableTokens ? null : (trainedTokens ?? 0) / learnableTokens
  return (
    <div className="flex flex-col gap-0.5">
      <h3 className={cn('text-base font-semibold', leftOut > 0 && 'text-warn')}>{headlineOf(plan, strategy)}</h3>
      <p className="text-xs text-second">
        {rows === fileRows ? '' : `Made from ${plural(fileRows, 'row')} of the data. `}
        {share === null ? '' : `${formatPercent(share, share === 1 ? 0 : 1)} of the tokens to learn from fit.`}
      </p>
    </div>
  )
}

/** "Trains on about 28 rows; 5,686 answers are too long". */
export function headlineOf(
  { rows, seenRows, leftOut, tokensExact, steps }: Pick<RunPlan, 'rows' | 'seenRows' | 'leftOut' | 'tokensExact' | 'steps'>,
  strategy: TrainStrategy,
): string {
  if (rows === 0) return 'Nothing would be trained'
  const about = tokensExact ? '' : 'about '
  const seen =
    seenRows < rows
      ? `${about}${formatCount(seenRows)} of ${plural(rows, 'row')} in ${plural(steps, 'step')}`
      : `${about}${plural(rows, 'row')}`
  if (!leftOut) return `Trains on ${seen}; none is too long`
  return `Trains on ${seen}; ${plural(leftOut, unitOf(strategy))} ${leftOut === 1 ? 'is' : 'are'} too long`
}

/** The unit that is left out: with recorded answers, long rows are split between them; otherwise whole rows are dropped. */
const unitOf = (strategy: TrainStrategy) => (strategy === 'sft' || strategy === 'dpo' || strategy === 'kto' ? 'answer' : 'row')

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <>
    <dt className="text-second">{term}</dt>
    <dd>{children}</dd>
  </>
)

/** Refusals first, then warnings and notes. */
function Notes({ notes, onApply }: { notes: readonly PlanNote[]; onApply: (change: NonNullable<PlanNote['apply']>) => void }) {
  if (notes.length === 0) return null
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {notes
        .toSorted((a, b) => LEVEL_ORDER.indexOf(a.level) - LEVEL_ORDER.indexOf(b.level))
        .map(({ code, level, message, hint, row, field, apply }) => (
          <NoteLine key={`${code} ${message}`} level={level} message={message} hint={hint}>
            {row === null ? null : (
              <span className="text-second">
                {' '}
                Row {formatCount(row)}
                {field ? `, ${field}` : ''}.
              </span>
            )}
            {apply ? (
              <Button size="small" className="mt-1 flex" onClick={() => onApply(apply)}>
                {adviceLabel(apply)}
              </Button>
            ) : null}
          </NoteLine>
        ))}
    </ul>
  )
}
