import { useId, useState, type ReactNode } from 'react'
import { RotateCcw } from 'lucide-react'
import { IconButton } from './button.tsx'
import { Field, TextInput } from './field.tsx'

const NONE: readonly string[] = []
const anything = () => null

/** A text that is saved on blur or Enter; Escape restores the saved one. */
export function SavedText({
  label,
  hint,
  value,
  placeholder,
  offered = NONE,
  recommended,
  reason,
  read = anything,
  onSave,
  narrow = false,
}: {
  label: string
  hint?: ReactNode
  value: string
  placeholder?: string
  /** Suggestions; anything else can be typed. */
  offered?: readonly string[]
  recommended: string
  /** Why it can't be changed now. */
  reason: string | null
  /** Why a text is invalid; null if it is valid. */
  read?: (text: string) => string | null
  onSave: (text: string) => void
  narrow?: boolean
}) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? value
  const error = draft === null ? null : read(draft)
  const save = () => {
    if (draft === null || error !== null) return
    setDraft(null)
    if (draft.trim() !== value) onSave(draft.trim())
  }
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {recommended !== '' && value !== recommended && reason === null ? (
        <IconButton label={`Reset ${label} to ${recommended}`} icon={RotateCcw} onClick={() => onSave(recommended)} />
      ) : null}
      <TextInput
        id={id}
        value={text}
        placeholder={placeholder}
        list={offered.length > 0 ? `${id}-offered` : undefined}
        readOnly={reason !== null}
        title={reason ?? undefined}
        spellCheck={false}
        aria-invalid={error !== null}
        onChange={setDraft}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
          if (event.key === 'Escape' && draft !== null) {
            event.stopPropagation()
            setDraft(null)
          }
        }}
        className={narrow ? 'w-28 text-right font-mono' : 'w-80 max-w-full font-mono read-only:text-second'}
      />
      {offered.length > 0 ? (
        <datalist id={`${id}-offered`}>
          {offered.map((one) => (
            <option key={one} value={one} aria-label={one} />
          ))}
        </datalist>
      ) : null}
    </Field>
  )
}
