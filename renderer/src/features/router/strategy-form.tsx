import { useState } from 'react'
import type { RouteStudent } from '#contracts/entities/routing.ts'
import { RoutingStrategy } from '#contracts/settings/router.ts'
import { useModelNames } from '#renderer/api/models.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { formatPercent } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { STRATEGY_WORDS } from './words.ts'

const NEWEST = 'newest'
const shares = (...values: number[]) => values.map((value) => ({ value: String(value), label: formatPercent(value) }))
/** The saved value is offered too: it may have been set elsewhere. */
const withSaved = (options: readonly { value: string; label: string }[], saved: number) =>
  options.some(({ value }) => Number(value) === saved) ? options : [...options, ...shares(saved)]

interface Props {
  strategy: RoutingStrategy
  student: RouteStudent | null
  /** The environment variable that sets the strategy. */
  variable: string | null
}

export function StrategyForm({ strategy, student, variable }: Props) {
  const { settings, offline, change } = useChange()
  const names = useModelNames()
  const [asking, setAsking] = useState(false)
  const { studentModel, confidenceThreshold, studentSampleRate, maxStudentRate, override } = settings.router
  const off = offline !== null
  const set = (what: string, router: Partial<typeof settings.router>) => change(what, { router })
  const models = [...(names.data ?? new Map<string, string>())].map(([value, label]) => ({ value, label }))
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
        <SelectRow
          label="Student"
          value={studentModel ?? NEWEST}
          disabled={off}
          options={[{ value: NEWEST, label: 'The newest that is proven better' }, ...models]}
          onChange={(next) => set('Student', { studentModel: next === NEWEST ? null : next })}
        />
        {strategy === 'confidence_based'
          ? shareRow('Limit of confidence', 'confidenceThreshold', confidenceThreshold, [0.5, 0.6, 0.7, 0.8, 0.9])
          : null}
        {strategy === 'progressive' ? shareRow('Share to start with', 'studentSampleRate', studentSampleRate, [0.05, 0.1, 0.2]) : null}
        {strategy === 'progressive' ? shareRow('Largest share', 'maxStudentRate', maxStudentRate, [0.5, 0.7, 0.9, 1]) : null}
        <SwitchRow
          label="Route without a proof"
          hint="A model that no exam proves better gets its share all the same. It stays marked as not proven."
          checked={override}
          disabled={off}
          onChange={(on) => (on ? setAsking(true) : set('Route without a proof', { override: false }))}
        />
      </div>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Route without a proof?"
        action="Route without a proof"
        typed="not proven"
        onConfirm={() => set('Route without a proof', { override: true })}
      >
        Nothing shows that {student?.name ?? 'the model'} does your work as well as Claude or better. Its mistakes become yours.
      </Confirm>
    </Section>
  )
}
