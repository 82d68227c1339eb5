import { FileDiff, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useClientChange, useSetClientChange } from '#renderer/api/router.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DiffBlock } from '#renderer/ui/code-block.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'

interface Props {
  which: 'first' | 'client'
  /** What the setting does, and the button that makes it. */
  label: string
  action: string
  /** What is asked before it is made. */
  question?: { title: string; body: ReactNode }
}

/** A setting of Claude Code that one click makes, and another undoes; the exact change is shown first. */
export function ClientChangeBlock({ which, label, action, question }: Props) {
  const offline = useOfflineReason()
  const change = useSetClientChange(which)
  const [asking, setAsking] = useState(false)
  return (
    <Fetched query={useClientChange(which)} what="the settings of Claude Code" bars={['h-5 w-80', 'h-24 w-full']}>
      {({ isOn, settingsFile, exists, diff, obstacle }) => (
        <div className="flex flex-col gap-2">
          <p className="text-sm">
            {label} {isOn ? 'It is set in ' : exists ? 'This changes ' : 'This creates '}
            <span className="font-mono text-xs break-all">{settingsFile}</span>
            {isOn ? '. Undoing it makes this change:' : exists ? '; a backup of the file is kept.' : '.'}
          </p>
          {diff === '' ? null : <DiffBlock diff={diff} label={`${action}: change to ${settingsFile}`} className="max-h-64" />}
          <div>
            <Button
              icon={isOn ? Undo2 : FileDiff}
              reason={offline ?? (isOn ? null : obstacle)}
              busy={change.isPending}
              onClick={() => (isOn || question === undefined ? change.mutate(!isOn) : setAsking(true))}
            >
              {isOn ? 'Undo' : action}
            </Button>
          </div>
          {question ? (
            <Confirm
              open={asking}
              onOpenChange={setAsking}
              title={question.title}
              action={action}
              danger={false}
              onConfirm={() => change.mutate(true)}
            >
              {question.body}
            </Confirm>
          ) : null}
        </div>
      )}
    </Fetched>
  )
}
