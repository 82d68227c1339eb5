import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import type { PolicyPart } from './policy-part.ts'

/** Values that are never findings, such as a public address. */
export function PrivacyAllowed({ policy, offline, set }: PolicyPart) {
  const [draft, setDraft] = useState('')
  const value = draft.trim()
  const reason = value === '' ? 'Enter a value first.' : policy.allowed.includes(value) ? 'This value is already in the list.' : null
  return (
    <Section title="Allowed values" note="These exact texts are never reported, such as a public address or a fake key in a test">
      {policy.allowed.length > 0 ? (
        <ul className="flex max-h-60 flex-wrap gap-2 overflow-y-auto">
          {policy.allowed.map((allowed) => (
            <li key={allowed} className="flex h-8 max-w-full items-center gap-1 rounded border border-line pl-2">
              <span className="truncate font-mono text-xs">{allowed}</span>
              <IconButton
                size="small"
                icon={X}
                label={`Remove ${allowed}`}
                reason={offline}
                onClick={() => set('Allowed values', { allowed: policy.allowed.filter((other) => other !== allowed) })}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (offline ?? reason) return
          set('Allowed values', { allowed: [...policy.allowed, value] })
          setDraft('')
        }}
      >
        <TextInput aria-label="Allowed value" className="min-w-64 flex-1 font-mono" maxLength={500} value={draft} onChange={setDraft} />
        <Button type="submit" icon={Plus} reason={offline ?? reason}>
          Allow value
        </Button>
      </form>
    </Section>
  )
}
