import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useTaskActions } from '#renderer/api/tasks.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'

const MAX_ROWS = 8

/** A message to the agent: read at its next step, or, once it has ended, a reason to continue. */
export function MessageBox({ task }: { task: Task }) {
  const [text, setText] = useState('')
  const offline = useOfflineReason()
  const { message } = useTaskActions(task.id)
  const words = text.trim()
  const reason = offline ?? (words === '' ? 'Write a message first.' : null)
  const send = () => {
    if (reason !== null || message.isPending) return
    message.mutate(words, { onSuccess: () => setText('') })
  }
  useKeys({ submit: send })
  return (
    <div className="flex items-end gap-2 border-t border-line bg-panel p-2">
      <TextArea
        aria-label="Message to the agent"
        rows={Math.min(Math.max(text.split('\n').length, 2), MAX_ROWS)}
        className="min-w-0 flex-1 resize-none"
        placeholder={
          hasEnded(task) ? 'Say what is still to do; the agent continues where it ended' : 'A message for the next step of the agent'
        }
        value={text}
        onChange={setText}
      />
      <Button icon={Send} keys={keyOf('submit')} reason={reason} busy={message.isPending} onClick={send}>
        {hasEnded(task) ? 'Continue' : 'Send'}
      </Button>
    </div>
  )
}
