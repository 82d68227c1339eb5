import { GuardService } from '#contracts/settings/guardrails.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { SwitchRow } from '#renderer/ui/form-rows.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'

const faultOf = (url: string): string | null => GuardService.safeParse({ url }).error?.issues[0]?.message ?? null

/** The service of the user that judges texts, if there is one. */
export function Moderation() {
  const { settings, offline, change } = useChange()
  const { contentModeration, service } = settings.guardrails
  const isNone = service.url === ''
  return (
    <Section
      title="Violence and hate"
      note="Only by a NeMo Guardrails service of yours, for texts that you check on Test or by bashgym guard --text"
    >
      <p className="max-w-[70ch] text-sm">
        Bash Gym has no classifier of its own, and loads none from a folder. Without a service these are not checked. Secrets and personal
        data are replaced before a text is sent.
      </p>
      <div>
        <SavedText
          label="Address of the service"
          hint="On this machine, or over https. Empty: none is asked."
          value={service.url}
          placeholder="http://127.0.0.1:8000"
          recommended=""
          reason={offline}
          read={faultOf}
          onSave={(url) => change('Address of the service', { guardrails: { service: { ...service, url } } })}
        />
        <SavedText
          label="Configuration"
          hint="Its id on the server. Empty: the server's default."
          value={service.configId}
          recommended=""
          reason={offline}
          onSave={(configId) => change('Configuration', { guardrails: { service: { ...service, configId } } })}
        />
        <SwitchRow
          label="Ask the service"
          hint={
            isNone
              ? 'Not checked: there is no service.'
              : 'What it blocks is blocked. If it is down, slower than 5 s or answers otherwise, the text counts as not checked.'
          }
          checked={contentModeration && !isNone}
          disabled={offline !== null || isNone}
          onChange={(next) => change('Ask the service', { guardrails: { contentModeration: next } })}
        />
      </div>
    </Section>
  )
}
