import { desktop } from '#renderer/app/desktop.ts'
import { Field } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

export function NotificationsSection() {
  const { settings, offline, change } = useChange()
  const { permission, jobs } = settings.notifications
  return (
    <Section
      title="Notify me when"
      note={desktop() ? 'Shown as desktop notifications' : 'Shown on the page; the desktop app uses system notifications'}
    >
      <div>
        <Field
          id="notify-permission"
          label="Claude Code needs attention"
          hint="It asks for permission, waits for an answer or has hit a rate limit."
        >
          <Switch
            id="notify-permission"
            checked={permission}
            disabled={offline !== null}
            onChange={(next) =>
              change('Claude Code needs attention', { notifications: { permission: next } }, { notifications: { permission } })
            }
          />
        </Field>
        <Field
          id="notify-jobs"
          label="A long job finishes"
          hint="An import, a rebuild or a rescore finishes or fails while this window is in the background."
        >
          <Switch
            id="notify-jobs"
            checked={jobs}
            disabled={offline !== null}
            onChange={(next) => change('A long job finishes', { notifications: { jobs: next } }, { notifications: { jobs } })}
          />
        </Field>
      </div>
    </Section>
  )
}
