import { RefreshCw } from 'lucide-react'
import { useConnection } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { ToastLine } from '#renderer/ui/toast.tsx'
import { desktop } from './desktop.ts'

/** The only page that a tab without a valid session key shows. */
export function SignedOut() {
  useTitle('Sign in')
  const because = useConnection((connection) => connection.signedOutBecause)
  const shell = desktop()
  return (
    <div className="flex h-full flex-col">
      <main className="mx-auto flex min-h-0 max-w-[52ch] flex-1 flex-col justify-center gap-4 px-6">
        <h1 className="text-xl font-semibold">This window is not signed in</h1>
        {because ? (
          <p role="alert" className="rounded border border-warn p-3 text-sm">
            {because}
          </p>
        ) : null}
        <p className="text-second">
          Your sessions are private to this machine, so a browser needs a one-time link. Run this in a terminal to open a signed-in window:
        </p>
        <CodeBlock label="command" text="bashgym open" />
        <p className="text-sm text-second">
          In a checkout: <code className="font-mono text-xs">npm run -s bashgym -- open</code>
        </p>
        <div>
          <Button icon={RefreshCw} onClick={() => (shell ? void shell.call('session:sign-in', {}) : location.reload())}>
            {shell ? 'Sign in again' : 'Reload page'}
          </Button>
        </div>
      </main>
      <footer className="flex h-7 items-center text-xs">
        <ToastLine />
      </footer>
    </div>
  )
}
