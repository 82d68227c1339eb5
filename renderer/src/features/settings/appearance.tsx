import { Field } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { useChange } from './use-setting.ts'

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const
const DENSITIES = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
] as const

export function AppearanceSection() {
  const { settings, offline, change } = useChange()
  const { theme, density, singleKeyShortcuts } = settings.appearance
  return (
    <>
      <Section title="Look">
        <div>
          <Field id="theme" label="Theme">
            <Select
              id="theme"
              label="Theme"
              value={theme}
              options={THEMES}
              disabled={offline !== null}
              onChange={(next) => change('Theme', { appearance: { theme: next } }, { appearance: { theme } })}
            />
          </Field>
          <Field id="density" label="Rows of lists" hint="Compact rows are 32 px high, comfortable ones 40.">
            <Select
              id="density"
              label="Rows of lists"
              value={density}
              options={DENSITIES}
              disabled={offline !== null}
              onChange={(next) => change('Rows of lists', { appearance: { density: next } }, { appearance: { density } })}
            />
          </Field>
        </div>
      </Section>
      <Section title="Keys">
        <div>
          <Field
            id="single-keys"
            label="Single-letter keys"
            hint="j, k, g and the like. Switch them off if you speak to your computer or type without meaning to. Keys with Ctrl or Cmd, Enter, Escape and the arrows always work."
          >
            <Switch
              id="single-keys"
              checked={singleKeyShortcuts}
              disabled={offline !== null}
              onChange={(next) =>
                change('Single-letter keys', { appearance: { singleKeyShortcuts: next } }, { appearance: { singleKeyShortcuts } })
              }
            />
          </Field>
        </div>
      </Section>
    </>
  )
}
