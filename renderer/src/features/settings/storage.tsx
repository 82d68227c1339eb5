import { Download, FlaskConical, Hammer, ShieldCheck, Trash2 } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useCapture, useImportSamples, useScan } from '#renderer/api/capture.ts'
import { useRunningJob } from '#renderer/api/jobs.ts'
import { useStats } from '#renderer/api/stats.ts'
import { useRebuild, useSystemInfo } from '#renderer/api/system.ts'
import { useRemoveSamples, useSampleCount } from '#renderer/api/traces.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatBytes, formatCount, formatDuration, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { ShareBar } from '#renderer/ui/meter.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime, useToday } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { diskShares } from './disk.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'

export function StorageSection() {
  return (
    <>
      <Archive />
      <Verify />
      <Backup />
      <Samples />
      <Rebuild />
    </>
  )
}

function Archive() {
  const capture = useCapture()
  const scan = useScan()
  const status = capture.data
  if (capture.error && !status)
    return <ErrorState title="Couldn't load the archive status" error={capture.error} retry={() => void capture.refetch()} />
  if (!status) return <Skeleton className="h-32 w-full" />
  const { archive, disk } = status
  return (
    <Section title="Archive" note="The original bytes of every session, compressed but unchanged">
      {archive.traces === 0 ? (
        <p className="text-sm">
          No sessions archived yet. <TextLink href="/settings/capture">Import your history</TextLink>, or start a session in any terminal.
        </p>
      ) : (
        <p className="text-sm">
          <TextLink href={tracesHref('')}>{plural(archive.traces, 'session')}</TextLink> in {formatBytes(archive.bytes)}; uncompressed{' '}
          {formatBytes(archive.rawBytes)}
          {archive.rawBytes > 0 ? ` (${formatPercent(archive.bytes / archive.rawBytes)} of that)` : ''}.
        </p>
      )}
      <p className="text-sm">
        {archive.atRisk === null ? (
          <span className="text-second">The number of sessions at risk is not known yet.</span>
        ) : archive.atRisk === 0 ? (
          archive.traces > 0 && 'Safe: every session that Claude Code will delete within 7 days is archived.'
        ) : (
          <span className="text-warn">
            {plural(archive.atRisk, 'session')} that Claude Code will delete within 7 days {archive.atRisk === 1 ? 'is' : 'are'} not in the
            archive. <TextLink href="/settings/capture">Import sessions</TextLink>
          </span>
        )}
      </p>
      {archive.nextCleanupAt ? (
        // a paragraph of its own: its second part is known later and must not start another line
        <p className="truncate text-sm text-second">
          Next clean-up: <RelativeTime at={archive.nextCleanupAt} due="due when Claude Code next starts" />
          {scan.data ? `; sessions are deleted after ${plural(scan.data.cleanupPeriodDays, 'day')}` : ''}.
        </p>
      ) : null}
      {disk ? (
        <ShareBar label="Disk" shares={diskShares(archive.bytes, disk)} />
      ) : (
        <p className="text-sm text-second">Couldn't read the disk size.</p>
      )}
    </Section>
  )
}

function Verify() {
  const { offline } = useChange()
  const verify = useMutation({ mutationFn: () => api.verifyArchive({ body: {} }), meta: { quiet: true } })
  const report = verify.data
  return (
    <Section title="Integrity check" note="Compares the database with the archive; changes nothing">
      <div>
        <Button icon={ShieldCheck} reason={offline} busy={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? 'Checking …' : 'Check archive'}
        </Button>
      </div>
      {verify.error ? <ErrorState title="Couldn't check the archive" error={verify.error} retry={() => verify.mutate()} /> : null}
      {report ? (
        <div role="status" className="flex flex-col gap-2 text-sm">
          <p>
            <b className={report.ok ? 'text-ok' : 'text-bad'}>
              {report.ok ? 'No problems found.' : `${plural(report.problems.length, 'problem')} found.`}
            </b>{' '}
            <span className="text-second">
              Checked: {plural(report.checked.traces, 'trace')}, {plural(report.checked.records, 'record')},{' '}
              {formatBytes(report.checked.bytes)}.
            </span>
          </p>
          {report.problems.length > 0 ? (
            <ul className="flex flex-col gap-2">
              {report.problems.map((problem) => (
                <li key={`${problem.kind} ${problem.where} ${problem.message}`} className="border-l-4 border-bad pl-3">
                  <p>{problem.message}</p>
                  <p className="font-mono text-xs break-all text-second">{problem.where}</p>
                  <p className="text-second">{problem.fix}</p>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
    </Section>
  )
}

function Backup() {
  const { offline } = useChange()
  const info = useSystemInfo()
  const today = useToday()
  const suggestedFile = info.data ? `${info.data.dataDir}/backups/bashgym-${today}.tar` : ''
  const [typedFile, setTyped] = useState<string | null>(null)
  const file = typedFile ?? suggestedFile
  const backup = useMutation({ mutationFn: () => api.createBackup({ body: { file } }), meta: { quiet: true } })
  return (
    <Section title="Backup" note="Database, archive and data sets in one tar file, without the token">
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (file && !offline) backup.mutate()
        }}
      >
        <TextInput aria-label="Backup file" className="min-w-72 flex-1 font-mono" value={file} onChange={setTyped} />
        <Button type="submit" icon={Download} reason={offline ?? (file ? null : 'Enter a file path first.')} busy={backup.isPending}>
          Create backup
        </Button>
      </form>
      {backup.error ? <ErrorState title="The backup was not created" error={backup.error} retry={() => backup.mutate()} /> : null}
      {backup.data ? (
        <p role="status" className="text-sm">
          Saved: {formatBytes(backup.data.bytes)} in {plural(backup.data.files, 'file')}, {formatDuration(backup.data.ms)}.{' '}
          <span className="font-mono text-xs break-all">{backup.data.file}</span>
        </p>
      ) : null}
    </Section>
  )
}

export function Samples() {
  const offline = useOfflineReason()
  const add = useImportSamples()
  const remove = useRemoveSamples()
  const count = useSampleCount()
  return (
    <Section title="Sample sessions" note="Marked as samples; removing them affects nothing else">
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={FlaskConical} reason={offline} busy={add.isPending} onClick={() => add.mutate()}>
          Load sample sessions
        </Button>
        {count === 0 ? <span className="text-sm text-second">None loaded.</span> : null}
        {count ? (
          <>
            <Button
              icon={Trash2}
              reason={offline}
              busy={remove.isPending}
              onClick={() =>
                remove.mutate(undefined, { onSuccess: ({ removed }) => toast.info(`${plural(removed, 'sample session')} removed`) })
              }
            >
              Remove sample sessions
            </Button>
            <TextLink href={tracesHref('is:sample')} className="text-sm">
              Show {count === 1 ? 'it' : plural(count, 'sample session')}
            </TextLink>
          </>
        ) : null}
      </div>
    </Section>
  )
}

function Rebuild() {
  const { offline } = useChange()
  const running = useRunningJob('rebuild')
  const rebuild = useRebuild()
  const stats = useStats()
  const [isConfirming, setAsking] = useState(false)
  return (
    <Section title="Rebuild" note="Recreates everything derived from the archive; keeps tiers, tags, notes and views">
      {running ? (
        <JobProgress name="Rebuild" job={running} stop="Stop rebuild" />
      ) : (
        <div>
          <Button icon={Hammer} reason={offline} busy={rebuild.isPending} onClick={() => setAsking(true)}>
            Rebuild …
          </Button>
        </div>
      )}
      <Confirm
        open={isConfirming}
        onOpenChange={setAsking}
        title="Rebuild everything from the archive?"
        action="Rebuild"
        danger={false}
        onConfirm={() => rebuild.mutate()}
      >
        <p>
          {stats.data
            ? `${plural(stats.data.traces, 'trace')} with ${formatCount(stats.data.toolCalls)} tool calls will be read again from the archive (${formatBytes(stats.data.archive.bytes)}).`
            : 'All traces will be read again from the archive.'}{' '}
          Lists fill up again while it runs.
        </p>
        <p>Your tiers, tags, notes, views and settings are kept, and ids do not change.</p>
      </Confirm>
    </Section>
  )
}
