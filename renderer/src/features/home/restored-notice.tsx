import { TriangleAlert } from 'lucide-react'
import { RESTORED_KIND_NAMES } from '#contracts/entities/restored.ts'
import { useDiscardRestored, useRestored } from '#renderer/api/settings.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ButtonLink } from '#renderer/ui/link.tsx'

/** After a restore: what does not run until the user confirms it, and what was not restored. */
export function RestoredNotice() {
  const { data } = useRestored()
  const dismiss = useDiscardRestored()
  if (!data || data.isNoted || data.settings.length + data.droppedSettings.length + data.waiting.length === 0) return null
  const parts = [
    data.settings.length > 0 ? plural(data.settings.length, 'setting') : null,
    ...data.waiting.map(({ kind, count }) => `${formatCount(count)} ${RESTORED_KIND_NAMES[kind][count === 1 ? 0 : 1]}`),
  ].filter((part) => part !== null)
  const dropped = data.droppedSettings.length
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-warn px-4 py-3 text-sm">
      <TriangleAlert size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-60 flex-1">
        <b>A backup was restored.</b>{' '}
        <span className="text-second">
          {parts.length > 0 ? `It contains ${parts.join(', ')}. Nothing of it runs or sends anything until you choose "Use again". ` : null}
          {dropped > 0 ? `${plural(dropped, 'setting')} could not be restored.` : null}
        </span>
      </p>
      <ButtonLink href="/settings">Review what waits</ButtonLink>
      <Button size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate('note')}>
        Dismiss
      </Button>
    </div>
  )
}
