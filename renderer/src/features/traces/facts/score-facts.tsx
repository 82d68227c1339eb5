import { CircleAlert, CircleCheck, CircleHelp, CircleSlash } from 'lucide-react'
import { useState } from 'react'
import { Settings } from '#contracts/entities/settings.ts'
import type { MetricEvidence, Score, Thresholds, VerificationCheck } from '#contracts/entities/score.ts'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { reaches } from '#contracts/score-figure.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { Meter } from '#renderer/ui/meter.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { Section } from './section.tsx'
import { VerifiedHint } from './verified-hint.tsx'
import { boundFor, contribution, METRICS, POLICY_WORDS, checkSentence, type MetricName } from './score-rules.ts'

interface Props {
  trace: TraceDetail
  onStep: (stepId: string) => void
}

/** Quality and its six metrics, each with the next threshold and, when opened, the steps behind it. */
export function ScoreFacts({ trace, onStep }: Props) {
  const settings = useSettings()
  const thresholds: Thresholds = settings.data?.settings.scoring.thresholds ?? DEFAULT_THRESHOLDS
  const { score } = trace
  if (score === null) {
    return (
      <Section title="Score">
        <p className="text-sm text-second">
          Not scored yet. {trace.state === 'live' ? 'The session is still running.' : 'It is scored once its transcript has been read.'}
        </p>
      </Section>
    )
  }
  const bound = boundFor('quality', score.quality, thresholds)
  return (
    <Section title="Score">
      <div className="flex items-end gap-3">
        <span
          className="text-2xl leading-none font-semibold"
          title={score.quality === null ? 'No call has a known outcome, so quality is not measured.' : undefined}
        >
          {formatScore(score.quality)}
        </span>
        <span className="pb-0.5 text-sm text-second">
          {score.quality !== null && !reaches(score.quality, bound.at) ? `quality (${bound.tier} ${formatScore(bound.at)})` : 'quality'}
        </span>
        <TierMark
          mark={trace.tier}
          word
          own={trace.tierSource === 'user'}
          unverified={trace.unverified}
          className="ml-auto pb-0.5 text-sm"
        />
      </div>
      <p className="text-sm">
        {trace.tierSource === 'user' ? (
          <>
            Set by you. By policy: {score.tier}, {score.tierReason}
          </>
        ) : (
          score.tierReason
        )}
      </p>
      <VerifiedHint trace={trace} />
      <ul className="flex flex-col">
        {METRICS.map((metric) => (
          <Metric key={metric.name} score={score} metric={metric} thresholds={thresholds} onStep={onStep} />
        ))}
      </ul>
      <ChecksFound checks={score.evidence} count={score.evidenceCount} filesEditedAfter={score.filesEditedAfter} onStep={onStep} />
      <p className="text-xs text-second">
        Scored by: {POLICY_WORDS[score.policy]} (v{score.scoreVersion})
        {trace.scoreVersion !== null && trace.scoreVersion !== score.scoreVersion ? `; the list shows v${trace.scoreVersion}` : ''}
      </p>
    </Section>
  )
}

/** Used until the settings are loaded. */
const DEFAULT_THRESHOLDS = Settings.parse({}).scoring.thresholds

function Metric({
  score,
  metric,
  thresholds,
  onStep,
}: {
  score: Score
  metric: (typeof METRICS)[number]
  thresholds: Thresholds
  onStep: Props['onStep']
}) {
  const [open, setOpen] = useState(false)
  const value = score.metrics[metric.name]
  const bound = metric.name === 'successRate' ? boundFor('successRate', value, thresholds) : null
  const evidence = score.metricEvidence.find(({ metric: name }) => name === metric.name)
  const words =
    value === null ? 'not measured' : `${formatScore(value)} of 1${bound ? `, ${bound.tier} from ${formatScore(bound.at)}` : ''}`
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        title={`${metric.meaning}; weight ${formatScore(metric.weight)}`}
        className="focus-inset grid min-h-7 w-full grid-cols-[96px_1fr_40px] items-center gap-2 rounded-sm text-left text-xs hover:bg-raised"
      >
        <span>{metric.label}</span>
        <Meter label={metric.label} value={value} tick={bound?.at ?? null} tone={toneOf(metric.name, value)} text={words} />
        <span className="text-right font-mono">{formatScore(value)}</span>
      </button>
      {open ? <Evidence evidence={evidence} value={value} weight={metric.weight} meaning={metric.meaning} onStep={onStep} /> : null}
    </li>
  )
}

/** Colour means outcome, so only verification has one. */
function toneOf(name: MetricName, value: number | null): 'neutral' | 'ok' | 'bad' {
  if (name !== 'verification' || value === null) return 'neutral'
  if (value === 1) return 'ok'
  return value === 0 ? 'bad' : 'neutral'
}

/** Steps shown before "more" is pressed. */
const FIRST_STEPS = 8

function Evidence({
  evidence,
  value,
  weight,
  meaning,
  onStep,
}: {
  evidence: MetricEvidence | undefined
  value: number | null
  weight: number
  meaning: string
  onStep: Props['onStep']
}) {
  const [all, setAll] = useState(false)
  const share = contribution(value, weight)
  const steps = evidence?.steps ?? []
  return (
    <div className="mb-2 ml-2 flex flex-col gap-1 border-l-2 border-line pl-3 text-xs">
      <p>{evidence?.sentence ?? meaning}</p>
      <p className="text-second">
        {share === null
          ? 'Not measured, so quality is not measured either.'
          : `Adds ${formatScore(share)} to quality (weight ${formatScore(weight)}).`}
      </p>
      <ul>
        {(all ? steps : steps.slice(0, FIRST_STEPS)).map(({ step, why }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a step may be listed more than once
          <li key={`${step} ${index}`}>
            <button
              type="button"
              onClick={() => onStep(step)}
              className="focus-inset min-h-6 w-full rounded-sm text-left break-words text-accent underline"
            >
              {why}
            </button>
          </li>
        ))}
      </ul>
      {!all && steps.length > FIRST_STEPS ? (
        <button type="button" onClick={() => setAll(true)} className="min-h-6 self-start text-second underline">
          {plural(steps.length - FIRST_STEPS, 'more step')}
        </button>
      ) : null}
    </div>
  )
}

/** The last test decides, so the newest checks are shown. */
const LAST_CHECKS = 5
/** Additional checks per click; a long session has thousands. */
const MORE_CHECKS = 100

const CHECK_ICON = { passed: CircleCheck, failed: CircleAlert, unclear: CircleHelp, not_run: CircleSlash } as const
const CHECK_INK = { passed: 'text-ok', failed: 'text-bad', unclear: 'text-second', not_run: 'text-second' } as const

interface ChecksProps {
  checks: readonly VerificationCheck[]
  count: number
  filesEditedAfter: number | null
  onStep: Props['onStep']
}

function ChecksFound({ checks, count, filesEditedAfter, onStep }: ChecksProps) {
  const [shownCount, setShown] = useState(LAST_CHECKS)
  const hiddenCount = checks.length - shownCount
  if (checks.length === 0) return <p className="text-xs text-second">No test, build or lint that Bash Gym recognises.</p>
  return (
    <div className="flex flex-col gap-1">
      <h4 className="text-xs font-semibold">Checks found</h4>
      {hiddenCount > 0 ? (
        <button
          type="button"
          onClick={() => setShown(shownCount + MORE_CHECKS)}
          className="min-h-6 self-start text-xs text-second underline"
        >
          {plural(hiddenCount, 'earlier check')}
        </button>
      ) : count > checks.length ? (
        <p className="text-xs text-second">{plural(count - checks.length, 'earlier check')} not listed.</p>
      ) : null}
      <ol className="flex flex-col gap-1">
        {checks.slice(-shownCount).map((check, index) => {
          const Icon = CHECK_ICON[check.result]
          return (
            // oxlint-disable-next-line react/no-array-index-key -- one step may contain several checks
            <li key={`${check.step} ${index - Math.min(shownCount, checks.length)}`}>
              <button
                type="button"
                onClick={() => onStep(check.step)}
                className={cn(
                  'focus-inset flex min-h-6 w-full gap-2 rounded-sm px-1 py-0.5 text-left text-xs hover:bg-raised',
                  check.decides && 'bg-raised',
                )}
              >
                <Icon size={14} aria-hidden className={cn('mt-px shrink-0', CHECK_INK[check.result])} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-mono" title={visible(check.command)}>
                    <Visible text={check.command} />
                  </span>
                  <span className="text-second">{checkSentence(check, filesEditedAfter)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
