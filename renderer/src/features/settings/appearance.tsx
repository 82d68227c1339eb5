import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { Section } from '#renderer/ui/page.tsx'
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
          <SelectRow
            label="Theme"
            value={theme}
            options={THEMES}
            disabled={offline !== null}
            onChange={(next) => change('Theme', { appearance: { theme: next } })}
          />
          <SelectRow
            label="Row density"
            hint="Compact rows are 32 px high, comfortable rows 40 px."
            value={density}
            options={DENSITIES}
            disabled={offline !== null}
            onChange={(next) => change('Row density', { appearance: { density: next } })}
          />
        </div>
      </Section>
      <Section title="Keyboard">
        <div>
          <SwitchRow
            label="Single-letter keys"
            hint="Shortcuts such as j, k and g. Turn them off if you use speech input or often press keys by accident. Shortcuts with Ctrl or Cmd, Enter, Escape and the arrow keys always work."
            checked={singleKeyShortcuts}
            disabled={offline !== null}
            onChange={(next) => change('Single-letter keys', { appearance: { singleKeyShortcuts: next } })}
          />
        </div>
      </Section>
    </>
  )
}
