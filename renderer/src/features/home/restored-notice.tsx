import { TriangleAlert } from 'lucide-react'
import { useRestored } from '#renderer/api/settings.ts'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'

/** After a restore: what does not run until the user confirms it, and what was not restored. */
export function RestoredNotice() {
  const { data } = useRestored()
  if (!data || data.settings.length + data.droppedSettings.length + data.pausedRuns === 0) return null
  const parts = [
    data.settings.length > 0 ? plural(data.settings.length, 'setting') : null,
    data.pausedRuns > 0 ? plural(data.pausedRuns, 'training run') : null,
  ].filter((part) => part !== null)
  const dropped = data.droppedSettings.length
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-warn px-4 py-3 text-sm">
      <TriangleAlert size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-60 flex-1">
        <b>A backup was restored.</b>{' '}
        <span className="text-second">
          {parts.length > 0
            ? `${parts.join(' and ')} from it could run a program or send data. They are not used until you confirm them. `
            : null}
          {dropped > 0 ? `${plural(dropped, 'setting')} could not be restored.` : null}
        </span>
      </p>
      <ButtonLink href="/settings">Review settings</ButtonLink>
    </div>
  )
}
