import type { QueryClient } from '@tanstack/react-query'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { SettingsDocument } from '#contracts/entities/settings.ts'
import type { Payload, ServerMessageType } from '#contracts/messages.ts'
import { captureKeys } from '#renderer/api/capture.ts'
import { settingsKeys } from '#renderer/api/settings.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { desktop } from './desktop.ts'
import type { Feature, Notice } from './feature.ts'
import { FEATURES } from './features.ts'
import { jobWord } from './job-words.ts'
import { failureSentence } from './words/jobs.ts'

/** Native notifications in the desktop app, toasts in a browser; and the tray's state. */
export function startNotifier(queries: QueryClient): void {
  const shown = new Set<string>()
  const show = (notice: Notice | null) => {
    if (notice === null || (notice.once !== undefined && shown.has(notice.once))) return
    const { kind, when, once } = notice
    if (once !== undefined) shown.add(once)
    const isWanted = queries.getQueryData<SettingsDocument>(settingsKeys.all)?.settings.notifications[kind] ?? false
    if (isWanted && (when === 'always' || document.hidden)) void notify(notice)
    else if (when === 'failure') toast.error(notice.title, notice.body)
  }
  const onNotice = <T extends ServerMessageType>(type: T, notice: (payload: Payload<T>) => Notice | null) =>
    onMessage(type, (payload) => show(notice(payload)))
  const features: readonly Feature[] = FEATURES
  for (const { notices = {} } of features) {
    for (const type of Object.keys(notices) as ServerMessageType[])
      onNotice(type, notices[type] as (payload: Payload<typeof type>) => Notice | null)
  }
  onNotice('job:complete', ({ job }) => ({ kind: 'jobs', title: `${jobWord(FEATURES, job.kind)}: finished`, body: '', when: 'away' }))
  onNotice('job:failed', ({ job: { kind, error } }) => ({
    kind: 'jobs',
    title: `${jobWord(FEATURES, kind)}: failed`,
    body: error === null ? '' : failureSentence(error),
    when: 'failure',
  }))

  const shell = desktop()
  if (!shell) return
  const updateTray = () => {
    const status = queries.getQueryData<CaptureStatus>(captureKeys.status)
    const offline = useConnection.getState().state === 'offline'
    const capture = offline || !status ? 'offline' : status.state
    void shell
      .call('tray:set', { capture, tooltip: `Bash Gym: ${offline ? 'server not reachable' : `capture ${capture}`}` })
      .catch(() => null) // a shell without a tray: the status bar says the same
  }
  useConnection.subscribe((next, before) => {
    if (next.state !== before.state) updateTray()
  })
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === captureKeys.status[0]) updateTray()
  })
}

async function notify({ title, body, traceId = null, link }: Notice): Promise<void> {
  const native = await desktop()
    ?.call('notify:show', { title, body: body.slice(0, 500), traceId, ...(link && { path: link.href }) })
    .catch(() => null) // not shown by the desktop: the toast below says it
  if (!native?.shown) toast.info(title, body, link)
}
