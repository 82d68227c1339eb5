import { useId, useState } from 'react'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { describeError } from '#renderer/ui/states.tsx'
import { applyDraft, callsOf, draftOf } from './edit.ts'

interface Props {
  message: ChatMessage
  index: number
  /** Rejects with the server's reason. */
  onSave: (message: ChatMessage) => Promise<unknown>
  onClose: () => void
}

/** A form for a message's text and for the arguments of its calls as JSON. */
export function EditMessage({ message, index, onSave, onClose }: Props) {
  const id = useId()
  const offline = useOfflineReason()
  const [opened] = useState(() => JSON.stringify(message))
  const [draft, setDraft] = useState(() => draftOf(message))
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const applied = applyDraft(message, draft)
  const errors = 'errors' in applied ? applied.errors : []
  const save = async () => {
    if ('errors' in applied || busy) return
    // another window may have removed messages, so this index may be a different message
    if (JSON.stringify(message) !== opened)
      return setRefusal('The messages changed elsewhere since you opened this one. Copy your text, cancel, and edit the current message.')
    setBusy(true)
    try {
      await onSave(applied.message)
      onClose()
    } catch (error) {
      const { message: words, hint } = describeError(error)
      setRefusal([words, hint].filter(Boolean).join(' '))
      setBusy(false)
    }
  }
  useKeys({
    submit: () => void save(),
    back: () => onClose(),
  })
  return (
    <form
      className="flex flex-col gap-2 border-y border-accent bg-panel px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <label htmlFor={`${id}-text`} className="text-xs text-second">
        Text of message {index + 1} ({message.role})
      </label>
      <TextArea
        id={`${id}-text`}
        // the user opened the form by a press
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={draft.content}
        onChange={(content) => setDraft({ ...draft, content })}
        rows={Math.min(18, Math.max(4, draft.content.split('\n').length + 1))}
        className="w-full font-mono"
      />
      {callsOf(message).map((call, at) => (
        <div key={call.id} className="flex flex-col gap-1">
          <label htmlFor={`${id}-${call.id}`} className="text-xs text-second">
            Arguments of {call.function.name} ({call.id}), JSON
          </label>
          <TextArea
            id={`${id}-${call.id}`}
            value={draft.args[at] ?? ''}
            onChange={(text) => setDraft({ ...draft, args: draft.args.map((one, place) => (place === at ? text : one)) })}
            aria-invalid={Boolean(errors[at])}
            aria-describedby={errors[at] ? `${id}-${call.id}-error` : undefined}
            rows={Math.min(18, Math.max(3, (draft.args[at] ?? '').split('\n').length + 1))}
            spellCheck={false}
            className="w-full font-mono"
          />
          {errors[at] ? (
            <p id={`${id}-${call.id}-error`} role="alert" className="text-xs text-bad">
              {errors[at]}
            </p>
          ) : null}
        </div>
      ))}
      {refusal ? (
        <p role="alert" className="text-sm text-bad">
          {refusal}
        </p>
      ) : null}
      <div className="flex gap-2">
        <Button
          type="submit"
          look="primary"
          keys={keyOf('submit')}
          busy={busy}
          reason={offline ?? ('errors' in applied ? 'The arguments of a call are not valid JSON.' : null)}
        >
          Save
        </Button>
        <Button look="quiet" keys={keyOf('back')} onClick={onClose}>
          Cancel
        </Button>
        <p className="self-center text-xs text-second">The session itself is unchanged; your edit is stored separately.</p>
      </div>
    </form>
  )
}
