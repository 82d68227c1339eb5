import { FileDiff, Undo2 } from 'lucide-react'
import { useSetShellEdits, useShellEdits } from '#renderer/api/capture.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DiffBlock } from '#renderer/ui/code-block.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'

/** Has Claude Code record which files shell commands change; the exact change of its settings is shown first. */
export function ShellEdits() {
  const offline = useOfflineReason()
  const change = useSetShellEdits()
  return (
    <Fetched query={useShellEdits()} what="the settings of Claude Code" bars={['h-5 w-80', 'h-32 w-full']}>
      {({ isOn, settingsFile, exists, diff }) => (
        <div className="flex flex-col gap-2">
          <p className="text-sm">
            {isOn ? 'It is on in ' : exists ? 'It is not on. This changes ' : 'It is not on. This creates '}
            <span className="font-mono text-xs break-all">{settingsFile}</span>
            {isOn ? '. Undoing it makes this change:' : '; a backup of a current file is kept.'}
          </p>
          <DiffBlock diff={diff} label={`Edits by shell commands: change to ${settingsFile}`} className="max-h-64" />
          <div>
            <Button icon={isOn ? Undo2 : FileDiff} reason={offline} busy={change.isPending} onClick={() => change.mutate(!isOn)}>
              {isOn ? 'Undo' : 'Record edits of shell commands'}
            </Button>
          </div>
        </div>
      )}
    </Fetched>
  )
}
