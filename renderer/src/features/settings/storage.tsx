import { Download, FlaskConical, Hammer, ShieldCheck, Trash2 } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { progressSentence, progressShare } from '#renderer/api/job-words.ts'
import { tracesHref } from '#renderer/api/links.ts'
import {
  useCancelJob,
  useCapture,
  useImportSamples,
  useRebuild,
  useRemoveSamples,
  useRunningJob,
  useSampleCount,
  useScan,
  useStats,
  useSystemInfo,
} from '#renderer/api/queries.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatBytes, formatCount, formatDuration, formatPercent, plural } from '#renderer/ui/format.ts'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { ShareBar } from '#renderer/ui/meter.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime, useToday } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { diskShares } from './disk.ts'
import { useChange } from './use-setting.ts'

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
    return <ErrorState title="The archive could not be measured" error={capture.error} retry={() => void capture.refetch()} />
  if (!status) return <Skeleton className="h-32 w-full" />
  const { archive, disk } = status
  return (
    <Section title="Archive" note="The original bytes of every session, compressed, unchanged">
      {archive.traces === 0 ? (
        <p className="text-sm">
          No session is kept yet. <TextLink href="/settings/capture">Import your history</TextLink>, or start a session in any terminal.
        </p>
      ) : (
        <p className="text-sm">
          <TextLink href={tracesHref('')}>{plural(archive.traces, 'session')}</TextLink> in {formatBytes(archive.bytes)}; unpacked{' '}
          {formatBytes(archive.rawBytes)}
          {archive.rawBytes > 0 ? ` (${formatPercent(archive.bytes / archive.rawBytes)} of it)` : ''}.
        </p>
      )}
      <p className="text-sm">
        {archive.atRisk === null ? (
          <span className="text-second">How many sessions are at risk is not known yet.</span>
        ) : archive.atRisk === 0 ? (
          archive.traces > 0 && 'Safe: no session that the clean-up of Claude Code takes within 7 days is missing here.'
        ) : (
          <span className="text-warn">
            {plural(archive.atRisk, 'session')} that the clean-up takes within 7 days {archive.atRisk === 1 ? 'is' : 'are'} not in the
            archive. <TextLink href="/settings/capture">Import now</TextLink>
          </span>
        )}{' '}
        {archive.nextCleanupAt ? (
          <span className="text-second">
            Next clean-up: <RelativeTime at={archive.nextCleanupAt} due="due, at the next start of Claude Code" />
            {scan.data ? `; sessions are deleted after ${plural(scan.data.cleanupPeriodDays, 'day')}` : ''}.
          </span>
        ) : null}
      </p>
      {disk ? (
        <ShareBar label="Disk" shares={diskShares(archive.bytes, disk)} />
      ) : (
        <p className="text-sm text-second">The size of the disk could not be read.</p>
      )}
    </Section>
  )
}

function Verify() {
  const { offline } = useChange()
  const verify = useMutation({ mutationFn: () => api.verifyArchive({ body: {} }), meta: { quiet: true } })
  const report = verify.data
  return (
    <Section title="Check" note="Database and archive against each other; nothing is changed">
      <div>
        <Button icon={ShieldCheck} reason={offline} busy={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? 'Checking …' : 'Check now'}
        </Button>
      </div>
      {verify.error ? <ErrorState title="The check did not run" error={verify.error} retry={() => verify.mutate()} /> : null}
      {report ? (
        <div role="status" className="flex flex-col gap-2 text-sm">
          <p>
            <b className={report.ok ? 'text-ok' : 'text-bad'}>
              {report.ok ? 'No problem found.' : `${plural(report.problems.length, 'problem')} found.`}
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
  const suggested = info.data ? `${info.data.home}/backups/bashgym-${today}.tar` : ''
  const [typed, setTyped] = useState<string | null>(null)
  const file = typed ?? suggested
  const backup = useMutation({ mutationFn: () => api.createBackup({ body: { file } }), meta: { quiet: true } })
  return (
    <Section title="Backup" note="Database, archive and data sets in one tar; never the token">
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (file && !offline) backup.mutate()
        }}
      >
        <TextInput aria-label="File of the backup" className="min-w-72 flex-1 font-mono" value={file} onChange={setTyped} />
        <Button type="submit" icon={Download} reason={offline ?? (file ? null : 'Type a file first.')} busy={backup.isPending}>
          Write backup
        </Button>
      </form>
      {backup.error ? <ErrorState title="The backup was not written" error={backup.error} retry={() => backup.mutate()} /> : null}
      {backup.data ? (
        <p role="status" className="text-sm">
          Written: {formatBytes(backup.data.bytes)} in {plural(backup.data.files, 'file')}, {formatDuration(backup.data.ms)}.{' '}
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
    <Section title="Sample sessions" note="Marked as samples; removing them touches nothing else">
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={FlaskConical} reason={offline} busy={add.isPending} onClick={() => add.mutate()}>
          Take in the samples
        </Button>
        {count === 0 ? <span className="text-sm text-second">None are here.</span> : null}
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
              Remove the samples
            </Button>
            <TextLink href={tracesHref('is:sample')} className="text-sm">
              Show {count === 1 ? 'it' : `the ${formatCount(count)}`}
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
  const cancel = useCancelJob()
  const stats = useStats()
  const [asking, setAsking] = useState(false)
  return (
    <Section title="Rebuild" note="Every derived table is made again from the archive; tiers, tags, notes and views stay">
      {running ? (
        <JobLine
          name="Rebuild"
          sentence={progressSentence(running)}
          share={progressShare(running)}
          actions={
            <Button size="small" reason={offline} onClick={() => cancel.mutate(running.id)}>
              Stop
            </Button>
          }
        />
      ) : (
        <div>
          <Button icon={Hammer} reason={offline} busy={rebuild.isPending} onClick={() => setAsking(true)}>
            Rebuild …
          </Button>
        </div>
      )}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Make everything again from the archive?"
        action="Rebuild"
        danger={false}
        onConfirm={() => rebuild.mutate()}
      >
        <p>
          {stats.data
            ? `${plural(stats.data.traces, 'trace')} with ${formatCount(stats.data.toolCalls)} tool calls are read again from ${formatBytes(stats.data.archive.bytes)} of archive.`
            : 'All traces are read again from the archive.'}{' '}
          Lists fill up again while it runs.
        </p>
        <p>Your tiers, tags, notes, views and settings stay, and ids do not change.</p>
      </Confirm>
    </Section>
  )
}
