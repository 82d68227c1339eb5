import { RoutingStrategy } from '#contracts/settings/router.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { formatPercent } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { STRATEGY_WORDS } from './words.ts'

const shares = (...values: number[]) => values.map((value) => ({ value: String(value), label: formatPercent(value) }))
/** The saved value is offered too: it may have been set elsewhere. */
const withSaved = (options: readonly { value: string; label: string }[], saved: number) =>
  options.some(({ value }) => Number(value) === saved) ? options : [...options, ...shares(saved)]

interface Props {
  strategy: RoutingStrategy
  /** The environment variable that sets the strategy. */
  variable: string | null
}

export function StrategyForm({ strategy, variable }: Props) {
  const { settings, offline, change } = useChange()
  const { confidenceThreshold, studentSampleRate, maxStudentRate } = settings.router
  const off = offline !== null
  const set = (what: string, router: Partial<typeof settings.router>) => change(what, { router })
  const shareRow = (label: string, name: 'confidenceThreshold' | 'studentSampleRate' | 'maxStudentRate', saved: number, from: number[]) => (
    <SelectRow
      label={label}
      value={String(saved)}
      disabled={off}
      options={withSaved(shares(...from), saved)}
      onChange={(value) => set(label, { [name]: Number(value) })}
    />
  )
  return (
    <Section title="Strategy">
      <div>
        <SelectRow
          label="Strategy"
          hint={variable === null ? STRATEGY_WORDS[strategy].hint : `${STRATEGY_WORDS[strategy].hint} Set by ${variable}.`}
          value={strategy}
          disabled={off || variable !== null}
          options={RoutingStrategy.options.map((value) => ({ value, label: STRATEGY_WORDS[value].label }))}
          onChange={(next) => set('Strategy', { strategy: next })}
        />
        {strategy === 'confidence_based'
          ? shareRow('Limit of confidence', 'confidenceThreshold', confidenceThreshold, [0.5, 0.6, 0.7, 0.8, 0.9])
          : null}
        {strategy === 'progressive' ? shareRow('Share to start with', 'studentSampleRate', studentSampleRate, [0.05, 0.1, 0.2]) : null}
        {strategy === 'progressive' ? shareRow('Largest share', 'maxStudentRate', maxStudentRate, [0.5, 0.7, 0.9, 1]) : null}
      </div>
    </Section>
  )
}
