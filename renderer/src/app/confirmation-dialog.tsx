import { useEffect } from 'react'
import { useConfirmation, type AskedConfirmation } from '#renderer/api/confirmation.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { desktop } from './desktop.ts'

/** Explains how to confirm a change that a browser alone may not make; closes once it is confirmed. */
export function ConfirmationDialog() {
  const asked = useConfirmation((state) => state.asked)
  if (!asked) return null
  return desktop() ? <ConfirmInDesktopApp key={asked.confirmation.id} asked={asked} /> : <ConfirmInTerminal asked={asked} />
}

/** The desktop app asks in its own window, which a page cannot control. */
function ConfirmInDesktopApp({ asked }: { asked: AskedConfirmation }) {
  useEffect(() => {
    void desktop()
      ?.call('change:confirm', { id: asked.confirmation.id })
      .then(
        ({ isConfirmed }) => asked.settle(isConfirmed),
        () => asked.settle(false),
      )
  }, [asked])
  return null
}

function ConfirmInTerminal({ asked: { confirmation, settle } }: { asked: AskedConfirmation }) {
  return (
    <Dialog
      open
      onOpenChange={() => settle(false)}
      title={confirmation.title}
      description="A browser alone may not do this. To confirm that it is you, run this command in a terminal; this dialog then closes."
      footer={
        <Button look="quiet" onClick={() => settle(false)}>
          Cancel
        </Button>
      }
    >
      <div className="flex flex-col gap-3 pt-3 text-sm">
        <CodeBlock label="command" text={`bashgym confirm ${confirmation.id}`} />
        <p className="text-second">
          In a checkout: <code className="font-mono text-xs">npm run -s bashgym -- confirm {confirmation.id}</code>
        </p>
        <dl className="flex flex-col gap-2">
          {confirmation.changes.map(({ what, from, to }) => (
            <div key={`${what} ${to}`}>
              <dt className="font-semibold">{what}</dt>
              <dd className="font-mono text-xs break-all">
                {from === null ? null : (
                  <>
                    <Visible text={from || '(empty)'} /> →{' '}
                  </>
                )}
                <Visible text={to || '(empty)'} />
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-xs text-second">
          The code is valid for 10 minutes.
          {confirmation.canTrust ? ' To be asked once for all that is in a folder, add it in Settings, Trusted folders.' : null}
        </p>
      </div>
    </Dialog>
  )
}
