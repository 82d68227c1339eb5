import { Unplug } from 'lucide-react'
import { useConnection } from '#renderer/api/connection.ts'
import { retryNow } from '#renderer/api/start.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatClock } from '#renderer/ui/format.ts'
import { useServerReason } from './desktop.ts'

/** While the server is away: the screen shows old data, nothing can be changed, and the page reconnects automatically. */
export function StaleBanner() {
  const { state, lastDataAt } = useConnection()
  const reason = useServerReason()
  const away = state === 'offline'
  return (
    <div role="status" aria-live="polite">
      {away ? (
        <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-raised px-4 py-1 text-sm">
          <Unplug size={16} aria-hidden className="shrink-0 text-warn" />
          <span className="flex-1">
            The server is not reachable. {reason ? <span>{reason} It is being restarted. </span> : null}
            {lastDataAt
              ? `What you see is from ${formatClock(lastDataAt)}; it updates when the server is back.`
              : 'No data was loaded yet.'}
          </span>
          <Button size="small" onClick={retryNow}>
            Retry now
          </Button>
        </div>
      ) : null}
    </div>
  )
}
