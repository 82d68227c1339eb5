import { CornerDownLeft } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { Sandbox } from '#contracts/entities/sandbox.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExec, useInterrupt } from '#renderer/api/sandboxes.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'

const MAX_ROWS = 12

/** Runs a command in a session, as a script would. */
export function CommandLine({ sandbox, session, isTakenOver }: { sandbox: Sandbox; session: string; isTakenOver: boolean }) {
  const [text, setText] = useState('')
  const offline = useOfflineReason()
  const exec = useExec(sandbox.id)
  const interrupt = useInterrupt(sandbox.id)
  const isRunning = exec.isPending || sandbox.busy
  const taken = isTakenOver ? 'The terminal is taken over. Hand it back first.' : null
  const run = () => {
    if (text.trim() === '' || offline || taken) return
    exec.mutate(
      { command: text, session },
      { onError: () => setText((now) => (now === '' ? text : now)) }, // it did not run, so it can be changed
    )
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      run()
    }
    if (event.key === 'c' && event.ctrlKey && isRunning && window.getSelection()?.isCollapsed !== false) interrupt.mutate(session)
  }
  return (
    <div className="flex items-end gap-2 border-t border-line p-2">
      <TextArea
        aria-label="Command"
        rows={Math.min(text.split('\n').length, MAX_ROWS)}
        className="min-h-8 min-w-0 flex-1 resize-none py-[7px]! font-mono text-xs"
        placeholder={taken ?? 'Command; Shift+Enter for a new line'}
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <Button reason={offline} busy={interrupt.isPending} keys="Ctrl C" onClick={() => interrupt.mutate(session)}>
          Interrupt
        </Button>
      ) : null}
      <Button icon={CornerDownLeft} reason={offline ?? taken} onClick={run}>
        Run
      </Button>
    </div>
  )
}
