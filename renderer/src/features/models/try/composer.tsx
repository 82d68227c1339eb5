import { Send, Shuffle, Square, Terminal, Trash2 } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { printKey } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import type { Turn } from './conversation.ts'

const ROLES = [
  { id: 'user', label: 'You' },
  { id: 'tool', label: 'Tool output' },
] as const satisfies readonly { id: Turn['role']; label: string }[]

/** The message field and the actions of the chat. */
export function Composer({
  text,
  role,
  canAnswerCall,
  isAnswering,
  reason,
  isEmpty,
  sample,
  curls,
  onText,
  onRole,
  onSend,
  onStop,
  onClear,
  note,
}: {
  text: string
  role: Turn['role']
  /** Whether the newest answer of a side calls a tool. */
  canAnswerCall: boolean
  isAnswering: boolean
  /** Why nothing can be sent now. */
  reason: string | null
  isEmpty: boolean
  /** Inserts a prompt of the data set into the message field. */
  sample: { label: string; insert: () => void } | null
  /** The message as a curl command, for each loaded side. */
  curls: readonly { label: string; copy: () => void }[]
  onText: (text: string) => void
  onRole: (role: Turn['role']) => void
  onSend: () => void
  onStop: () => void
  onClear: () => void
  note?: ReactNode
}) {
  const id = useId()
  return (
    <div className="flex flex-col gap-2 border-t border-line bg-panel px-4 py-3">
      {note}
      {canAnswerCall ? <Segmented label="Role" value={role} options={ROLES} onChange={onRole} /> : null}
      <label htmlFor={id} className="sr-only">
        {role === 'tool' ? 'Tool output' : 'Message to both models'}
      </label>
      <TextArea
        id={id}
        className="max-h-48 min-h-16 w-full resize-y text-base!"
        value={text}
        placeholder={role === 'tool' ? 'Paste the tool output' : 'Ask both models'}
        onChange={onText}
      />
      <div className="flex flex-wrap items-center gap-2">
        {sample ? (
          <Button look="quiet" icon={Shuffle} onClick={sample.insert}>
            {sample.label}
          </Button>
        ) : null}
        {curls.length > 0 ? (
          <Menu
            trigger={
              <Button look="quiet" icon={Terminal}>
                Copy as curl
              </Button>
            }
          >
            {curls.map(({ label, copy }) => (
              <MenuItem key={label} onSelect={copy}>
                {label}
              </MenuItem>
            ))}
          </Menu>
        ) : null}
        <Button look="quiet" icon={Trash2} reason={isEmpty ? 'The chat is empty.' : null} onClick={onClear}>
          Clear
        </Button>
        <span className="flex-1" />
        {isAnswering ? (
          <Button icon={Square} keys="Esc" onClick={onStop}>
            Stop
          </Button>
        ) : null}
        <Button look="primary" icon={Send} keys={printKey('mod+Enter')} reason={reason} onClick={onSend}>
          Send
        </Button>
      </div>
    </div>
  )
}
