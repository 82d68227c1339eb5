import { TriangleAlert } from 'lucide-react'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import { useCapture } from '#renderer/api/capture.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

/** A problem with capture and how to fix it; nothing while capture works. */
export function CaptureNotice() {
  const { data: status } = useCapture()
  if (!status) return null
  const notice = noticeOf(status)
  if (!notice) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-warn px-4 py-3 text-sm">
      <TriangleAlert size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-60 flex-1">
        <b>{notice.title}</b> <span className="text-second">{notice.detail}</span>{' '}
        {status.lastEventAt ? (
          <span className="text-second">
            Last event: <RelativeTime at={status.lastEventAt} />.
          </span>
        ) : null}
      </p>
      <ButtonLink href={notice.href ?? '/settings/capture'}>{notice.action}</ButtonLink>
    </div>
  )
}

export function noticeOf(status: CaptureStatus): { title: string; detail: string; action: string; href?: string } | null {
  const [problem] = status.problems
  if (problem) return { title: problem.message, detail: problem.hint ?? '', action: 'Check capture' }
  if (status.waitsForImport) {
    return {
      title: 'Your history is not imported yet.',
      detail: 'Nothing is read or watched until you import it. Sessions reported by hooks are still captured.',
      action: 'Choose projects',
      href: '/welcome',
    }
  }
  if (status.state === 'paused') {
    return {
      title: 'Capture is paused.',
      detail: 'New sessions are not imported. Claude Code keeps its own transcripts only until its next clean-up.',
      action: 'Resume capture',
    }
  }
  if (status.state === 'off') {
    return {
      title: 'The hooks are not installed.',
      detail:
        status.watching.length > 0
          ? 'Sessions still arrive because their folders are watched, but later and without the details that only hooks report.'
          : 'No folder is watched either, so new sessions are not imported.',
      action: 'Install hooks',
    }
  }
  return null
}
