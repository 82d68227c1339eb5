import { Field } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

const THEMES = [
  { value: 'system', label: 'System' },
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
      <Section title="Appearance">
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
          <Field id="density" label="Row density" hint="Compact rows are 32 px high, comfortable rows 40 px.">
            <Select
              id="density"
              label="Row density"
              value={density}
              options={DENSITIES}
              disabled={offline !== null}
              onChange={(next) => change('Row density', { appearance: { density: next } }, { appearance: { density } })}
            />
          </Field>
        </div>
      </Section>
      <Section title="Keyboard">
        <div>
          <Field
            id="single-keys"
            label="Single-letter keys"
            hint="Shortcuts such as j, k and g. Turn them off if you use speech input or often press keys by accident. Shortcuts with Ctrl or Cmd, Enter, Escape and the arrow keys always work."
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
