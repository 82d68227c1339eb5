import { desktop } from '#renderer/app/desktop.ts'
import { SwitchRow } from '#renderer/ui/form-rows.tsx'
import { Section } from '#renderer/ui/page.tsx'
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
        <SwitchRow
          label="Claude Code needs attention"
          hint="It asks for permission, waits for an answer or has hit a rate limit."
          checked={permission}
          disabled={offline !== null}
          onChange={(next) => change('Claude Code needs attention', { notifications: { permission: next } })}
        />
        <SwitchRow
          label="A long job finishes"
          hint="An import, a rebuild or a rescore finishes or fails while this window is in the background."
          checked={jobs}
          disabled={offline !== null}
          onChange={(next) => change('A long job finishes', { notifications: { jobs: next } })}
        />
      </div>
    </Section>
  )
}
