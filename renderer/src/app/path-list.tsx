import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { FolderInput } from './folder-input.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'

const acceptAny = () => null

/** A list of paths, each with a remove button; saved at once. */
export function PathList({
  id,
  label,
  hint,
  paths,
  placeholder,
  addLabel,
  removeLabel,
  chooseTitle,
  reason,
  validate = acceptAny,
  onSave,
}: {
  id: string
  label: string
  hint: string
  paths: readonly string[]
  placeholder: string
  /** Label of the button that adds a path. */
  addLabel: string
  removeLabel: (path: string) => string
  /** Title of the desktop's dialog. */
  chooseTitle: string
  /** Why the list cannot be changed now; null if it can. */
  reason: string | null
  /** Why a typed path is invalid; null if it is valid. */
  validate?: (path: string) => string | null
  onSave: (paths: string[]) => void
}) {
  const [text, setText] = useState('')
  const path = text.trim()
  const problem = path === '' ? 'Enter a path first.' : validate(path)
  const submit = () => {
    if (reason !== null || problem !== null) return
    if (!paths.includes(path)) onSave([...paths, path])
    setText('')
  }
  return (
    <div className="flex flex-col gap-2 py-3">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <p className="max-w-[60ch] text-xs text-second">{hint}</p>
      {paths.length > 0 ? (
        <ul className="flex flex-col">
          {paths.map((one) => (
            <li key={one} className="flex items-center gap-2 border-b border-line text-sm">
              <span className="min-w-0 flex-1 font-mono text-xs break-all">{one}</span>
              <IconButton
                label={removeLabel(one)}
                icon={X}
                reason={reason}
                onClick={() => onSave(paths.filter((other) => other !== one))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FolderInput id={id} value={text} onChange={setText} placeholder={placeholder} chooseTitle={chooseTitle} />
        <Button type="submit" icon={Plus} reason={reason ?? problem}>
          {addLabel}
        </Button>
      </form>
    </div>
  )
}
