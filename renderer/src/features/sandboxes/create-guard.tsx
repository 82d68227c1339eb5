import type { GuardOverrides, GuardRule } from '#contracts/entities/guardrail.ts'
import { useGuardRules } from '#renderer/api/guardrails.ts'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { plural } from '#renderer/ui/format.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Fold } from '#renderer/ui/fold.tsx'
import { VERDICTS } from './words.ts'

interface Props {
  overrides: GuardOverrides
  onChange: (overrides: GuardOverrides) => void
}

const DEFAULT = 'default'
/** Own rules and rules for texts cannot be overridden. */
const isOfSandbox = ({ type, isOwn }: GuardRule) => type === 'code' && !isOwn

/** What happens when a command in this sandbox matches a rule. */
export function GuardFields({ overrides, onChange }: Props) {
  const rules = useGuardRules()
  const count = Object.keys(overrides).length
  return (
    <Fold title="Guardrails" summary={count === 0 ? 'defaults' : `${plural(count, 'rule')} changed`}>
      <p className="pt-1 text-xs text-second">Commands are judged before they run, set-up commands too.</p>
      {rules.error ? <ErrorState title="Couldn't load the rules" error={rules.error} retry={() => void rules.refetch()} /> : null}
      {rules.data?.items.filter(isOfSandbox).map((rule) => (
        <RuleRow key={rule.id} rule={rule} overrides={overrides} onChange={onChange} />
      ))}
    </Fold>
  )
}

function RuleRow({ rule, overrides, onChange }: Props & { rule: GuardRule }) {
  const { [rule.id]: own, ...rest } = overrides
  return (
    <SelectRow
      label={rule.reason}
      value={own ?? DEFAULT}
      options={[
        { value: DEFAULT, label: `Default (${VERDICTS[rule.sandbox].toLowerCase()})` },
        { value: 'allow', label: VERDICTS.allow },
        { value: 'warn', label: VERDICTS.warn },
        { value: 'block', label: VERDICTS.block },
      ]}
      onChange={(value) => onChange(value === DEFAULT ? rest : { ...rest, [rule.id]: value })}
    />
  )
}
