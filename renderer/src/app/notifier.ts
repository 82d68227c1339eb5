import type { QueryClient } from '@tanstack/react-query'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { SettingsDocument } from '#contracts/entities/settings.ts'
import { captureKeys } from '#renderer/api/capture.ts'
import { settingsKeys } from '#renderer/api/settings.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { desktop } from './desktop.ts'
import { FEATURES } from './features.ts'
import { jobWord } from './job-words.ts'
import { failureSentence } from './words/jobs.ts'

const TITLE = {
  permission: 'Claude Code asks for permission',
  idle: 'Claude Code is waiting for you',
  'rate-limit': 'Claude Code has hit a rate limit',
  error: 'Claude Code reports an error',
  other: 'Claude Code',
} as const

/** Native notifications where the desktop shell is there, quiet words on the page otherwise; and the tray's state. */
export function startNotifier(queries: QueryClient): void {
  const wants = (kind: 'permission' | 'jobs') =>
    queries.getQueryData<SettingsDocument>(settingsKeys.all)?.settings.notifications[kind] ?? false

  onMessage('capture:notification', ({ kind, message, traceId }) => {
    if (!wants('permission')) return
    void tell(TITLE[kind], message, traceId)
  })
  onMessage('job:complete', ({ job }) => {
    if (document.hidden && wants('jobs')) void tell(`${jobWord(FEATURES, job.kind)}: finished`, '', null)
  })
  onMessage('job:failed', ({ job }) => {
    const message = job.error === null ? '' : failureSentence(job.error)
    if (document.hidden && wants('jobs')) void tell(`${jobWord(FEATURES, job.kind)}: failed`, message, null)
    else toast.error(`${jobWord(FEATURES, job.kind)}: failed`, message)
  })

  onMessage('training:complete', ({ run }) => {
    const steps = `${run.step.toLocaleString('en')} steps${run.loss === null ? '' : `, loss ${run.loss.toPrecision(4)}`}`
    if (wants('jobs')) void tell(`${run.name}: training finished`, steps, null)
  })
  onMessage('training:failed', ({ run, error }) => {
    if (document.hidden && wants('jobs')) void tell(`${run.name}: training failed`, error.message, null)
    else toast.error(`${run.name}: training failed`, error.message)
  })

  const shell = desktop()
  if (!shell) return
  const tray = () => {
    const status = queries.getQueryData<CaptureStatus>(captureKeys.status)
    const offline = useConnection.getState().state === 'offline'
    const capture = offline || !status ? 'offline' : status.state
    void shell
      .call('tray:set', { capture, tooltip: `Bash Gym: ${offline ? 'server not reachable' : `capture ${capture}`}` })
      .catch(() => null) // a shell without a tray: the status bar says the same
  }
  useConnection.subscribe((next, before) => {
    if (next.state !== before.state) tray()
  })
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === captureKeys.status[0]) tray()
  })
}

async function tell(title: string, body: string, traceId: string | null): Promise<void> {
  const native = await desktop()
    ?.call('notify:show', { title, body: body.slice(0, 500), traceId })
    .catch(() => null) // not shown by the desktop: the toast below says it
  if (!native?.shown) toast.info(title, body)
}
