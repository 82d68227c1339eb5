import { useSettings } from '#renderer/api/settings.ts'
import { useSendTrace } from '#renderer/api/telemetry.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { toast } from '#renderer/ui/toast.tsx'

/** Sends the spans to the collectors that are set up, if any are. */
export function SendButton({ id }: { id: string }) {
  const out = useSettings().data?.settings.telemetry.out ?? []
  const send = useSendTrace()
  if (out.length === 0) return null
  return (
    <Button
      busy={send.isPending}
      onClick={() =>
        send.mutate(id, { onSuccess: ({ collectors }) => toast.done(`Waiting to be sent to ${plural(collectors, 'collector')}`) })
      }
    >
      Send spans
    </Button>
  )
}
