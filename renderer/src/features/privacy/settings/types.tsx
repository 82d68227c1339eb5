import { SECRET_TYPES, type PiiType, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { usePrivacy } from '#renderer/api/privacy.ts'
import { PRIVACY_CATEGORIES, STRATEGIES } from '#renderer/app/words/privacy.ts'
import { Button } from '#renderer/ui/button.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Select, type Option } from '#renderer/ui/select.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import type { PolicyPart } from './policy-part.ts'

const AS_DEFAULT = 'default'
const DEFAULT_OPTIONS: readonly Option<ReplaceStrategy>[] = STRATEGIES.map(({ value, label }) => ({ value, label }))

/** Detected types and their replacements. */
export function PrivacyTypes({ policy, offline, set }: PolicyPart) {
  const enabledTypes = new Set<PiiType>([...policy.types, ...SECRET_TYPES])
  const byType = usePrivacy().data?.byType
  const setEnabled = (types: readonly PiiType[], isOn: boolean, what: string) =>
    set(what, { types: isOn ? [...new Set([...policy.types, ...types])] : policy.types.filter((type) => !types.includes(type)) })
  const setStrategy = (type: PiiType, choice: ReplaceStrategy | typeof AS_DEFAULT, label: string) => {
    const { [type]: _, ...rest } = policy.strategies
    set(label, { strategies: choice === AS_DEFAULT ? rest : { ...rest, [type]: choice } })
  }
  const hint = STRATEGIES.find(({ value }) => value === policy.defaultStrategy)?.hint ?? ''
  return (
    <Section title="Detected types" note="With what replaces each type in everything that leaves this app; saved immediately">
      <SelectRow
        label="Replace personal data with"
        hint={`Now: ${hint}. The same value gets the same replacement throughout a data set. Recommended: stand-in.`}
        value={policy.defaultStrategy}
        options={DEFAULT_OPTIONS}
        onChange={(defaultStrategy) => set('Replace personal data with', { defaultStrategy })}
      />
      {PRIVACY_CATEGORIES.map(({ id, label, types }) => {
        const isSecret = id === 'secrets'
        const categoryTypes = types.map(({ type }) => type)
        const areAllEnabled = categoryTypes.every((type) => enabledTypes.has(type))
        return (
          <section key={id} aria-label={label} className="flex flex-col">
            <div className="flex h-8 items-center gap-3">
              <h3 className="text-sm font-semibold">{label}</h3>
              <span className="flex-1 text-xs text-second">
                {isSecret ? 'always detected, and redacted unless you choose otherwise' : ''}
              </span>
              {isSecret || categoryTypes.length < 2 ? null : (
                <Button size="small" look="quiet" reason={offline} onClick={() => setEnabled(categoryTypes, !areAllEnabled, label)}>
                  {areAllEnabled ? 'Turn all off' : 'Turn all on'}
                </Button>
              )}
            </div>
            <ul>
              {types.map(({ type, label: word, how }) => (
                <li key={type} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-1.5">
                  <Switch
                    id={`type-${type}`}
                    checked={enabledTypes.has(type)}
                    disabled={offline !== null || isSecret}
                    onChange={(isOn) => setEnabled([type], isOn, word)}
                  />
                  <div className="min-w-52 flex-1">
                    <label htmlFor={`type-${type}`} className="text-sm">
                      {word}
                    </label>
                    <p className="text-xs text-second">{how}</p>
                  </div>
                  <span className="w-16 text-right font-mono text-xs">
                    {byType?.[type] ? <TextLink href={`/privacy?type=${type}`}>{formatCount(byType[type])}</TextLink> : null}
                  </span>
                  <Select
                    label={`Replacement: ${word}`}
                    value={policy.strategies[type] ?? AS_DEFAULT}
                    options={[
                      { value: AS_DEFAULT, label: isSecret ? 'Label' : 'Same as above' },
                      ...DEFAULT_OPTIONS.filter(({ value }) => !(isSecret && value === 'redact')),
                    ]}
                    disabled={offline !== null || !enabledTypes.has(type)}
                    onChange={(choice) => setStrategy(type, choice, word)}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </Section>
  )
}
