import { useId } from 'react'
import type { GuardOverrides, GuardRule } from '#contracts/entities/guardrail.ts'
import { useGuardRules } from '#renderer/api/guardrails.ts'
import { Field } from '#renderer/ui/field.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Fold } from './create-fold.tsx'
import { VERDICTS } from './words.ts'

interface Props {
  overrides: GuardOverrides
  onChange: (overrides: GuardOverrides) => void
}

/** What follows when a command in this sandbox matches a rule. */
export function GuardFields({ overrides, onChange }: Props) {
  const rules = useGuardRules()
  const count = Object.keys(overrides).length
  return (
    <Fold title="Guardrails" summary={count === 0 ? 'as usual' : `${plural(count, 'rule')} changed`}>
      <p className="pt-1 text-xs text-second">Commands are judged before they run, set-up commands too.</p>
      {rules.error ? <ErrorState title="Couldn't load the rules" error={rules.error} retry={() => void rules.refetch()} /> : null}
      {rules.data?.items.map((rule) => (
        <RuleRow key={rule.id} rule={rule} overrides={overrides} onChange={onChange} />
      ))}
    </Fold>
  )
}

function RuleRow({ rule, overrides, onChange }: Props & { rule: GuardRule }) {
  const id = useId()
  const { [rule.id]: own, ...rest } = overrides
  return (
    <Field id={id} label={rule.reason}>
      <Select
        id={id}
        value={own ?? 'usual'}
        onChange={(value) => onChange(value === 'usual' ? rest : { ...rest, [rule.id]: value })}
        options={[
          { value: 'usual', label: `As usual (${VERDICTS[rule.sandbox].toLowerCase()})` },
          { value: 'allow', label: VERDICTS.allow },
          { value: 'warn', label: VERDICTS.warn },
          { value: 'block', label: VERDICTS.block },
        ]}
      />
    </Field>
  )
}
