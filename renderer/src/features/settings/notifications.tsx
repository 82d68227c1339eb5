import { desktop } from '#renderer/app/desktop.ts'
import { Field } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { useChange } from './use-setting.ts'

export function NotificationsSection() {
  const { settings, offline, change } = useChange()
  const { permission, jobs } = settings.notifications
  return (
    <Section
      title="Tell me"
      note={desktop() ? 'As notifications of your desktop' : 'On the page; the desktop app uses notifications of the system'}
    >
      <div>
        <Field id="notify-permission" label="Claude Code needs me" hint="It asks for permission, waits for an answer, or has hit a limit.">
          <Switch
            id="notify-permission"
            checked={permission}
            disabled={offline !== null}
            onChange={(next) => change('Claude Code needs me', { notifications: { permission: next } }, { notifications: { permission } })}
          />
        </Field>
        <Field
          id="notify-jobs"
          label="Long work has ended"
          hint="An import, a rebuild or scoring again is done or has failed while this window was in the background."
        >
          <Switch
            id="notify-jobs"
            checked={jobs}
            disabled={offline !== null}
            onChange={(next) => change('Long work has ended', { notifications: { jobs: next } }, { notifications: { jobs } })}
          />
        </Field>
      </div>
    </Section>
  )
}
