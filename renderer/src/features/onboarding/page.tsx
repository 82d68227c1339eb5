import { Download, FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useCapture, useHooks, useImportSamples, useScan, useStartImport } from '#renderer/api/capture.ts'
import { isActive, useJobs } from '#renderer/api/jobs.ts'
import { usePatchSettings } from '#renderer/api/settings.ts'
import { useStats } from '#renderer/api/stats.ts'
import { useSampleCount } from '#renderer/api/traces.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { countSentence, foundSentence, historyStep, riskSentence } from './sentences.ts'
import { MachineStep } from './machine.tsx'
import { Projects } from './projects.tsx'
import { SecretsStep } from './secrets.tsx'
import { Step } from './step.tsx'
import { TrainStep } from './train.tsx'

/** Takes under two minutes; each step can be skipped, and the rest of the app works meanwhile. `hooks` is the hook set-up of Settings. */
export default function FirstRunPage({ hooks, wordOf }: { hooks: ReactNode; wordOf: (jobKind: string) => string }) {
  const patch = usePatchSettings()
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const stats = useStats()
  const hooksDone = useHooks().data?.installed ?? false
  const waits = useCapture().data?.waitsForImport ?? false
  const finish = () => patch.mutate({ onboarding: { done: true } }, { onSuccess: () => go('/') })
  return (
    <Page
      title="Welcome to Bash Gym"
      narrow
      summary="Keeps the sessions of your coding agents on this machine and scores them. Nothing is sent anywhere."
      // at the top, so that they do not move while the rest loads
      actions={
        <>
          <TextLink href="/traces" className="text-sm">
            Browse sessions first
          </TextLink>
          <Button look="quiet" reason={offline} onClick={finish}>
            {waits ? 'Skip without importing' : 'Skip set-up'}
          </Button>
        </>
      }
    >
      <ol className="flex flex-col">
        <HistoryStep waits={waits} wordOf={wordOf} />
        <Step number={2} title="Follow sessions while they run" done={hooksDone}>
          <p className="text-sm text-second">
            Hooks notify Bash Gym as soon as a Claude Code session changes. They add a few milliseconds to each tool call and never block
            Claude Code. Without hooks, sessions still arrive, just later. This is the exact change to your settings file; a backup is kept.
          </p>
          {hooks}
        </Step>
        <SecretsStep number={3} />
        <MachineStep number={4} />
        <TrainStep number={5} />
        <Step number={6} title="Review your sessions">
          <p className="text-sm text-second">
            {stats.data && stats.data.traces > 0
              ? `${plural(stats.data.traces, 'session')} imported and scored. The inbox lists those that need your review.`
              : 'Sessions appear as they are imported. The inbox lists those that need your review.'}
          </p>
          <div>
            <Button look={hooksDone ? 'primary' : 'plain'} reason={offline} busy={patch.isPending} onClick={finish}>
              Finish and go to Home
            </Button>
          </div>
        </Step>
      </ol>
    </Page>
  )
}

function HistoryStep({ waits, wordOf }: { waits: boolean; wordOf: (jobKind: string) => string }) {
  const scan = useScan()
  const jobs = useJobs()
  const running = jobs.data?.items.find((job) => (job.kind === 'import' || job.kind === 'samples') && isActive(job)) ?? null
  const startImport = useStartImport()
  const samples = useImportSamples()
  const samplesLoaded = useSampleCount() ?? 0
  const offline = useOfflineReason()
  const step = historyStep(scan.data, running)
  const risk = scan.data ? riskSentence(scan.data) : null
  const counts = scan.data ? countSentence(scan.data) : null

  return (
    <Step number={1} title="Import your history" done={step === 'kept' || (step === 'none' && samplesLoaded > 0)}>
      {scan.error && !scan.data ? (
        <ErrorState title="Couldn't search this machine" error={scan.error} retry={() => void scan.refetch()} />
      ) : null}
      {scan.isPending ? (
        <Loading label="Looking for sessions" className="flex flex-col gap-2">
          <p className="text-sm text-second">Looking for sessions on this machine …</p>
          <Skeleton className="h-4 w-72" />
        </Loading>
      ) : null}
      {scan.data && scan.data.sessions > 0 ? (
        <div className="text-sm">
          <p>
            Found <b>{foundSentence(scan.data)}</b>
          </p>
          {counts ? <p className="text-second">{counts}</p> : null}
          {risk ? <p className={scan.data.atRisk > 0 ? 'text-warn' : 'text-second'}>{risk}</p> : null}
          {scan.data.nextCleanup && scan.data.nextCleanup.sessions > 0 ? (
            <p className="text-second">
              Next clean-up: <RelativeTime at={scan.data.nextCleanup.at} due="due" />, at the start of a session.
            </p>
          ) : null}
        </div>
      ) : null}
      {scan.data && scan.data.byProject.length > 0 ? <Projects projects={scan.data.byProject} waits={waits} /> : null}
      {running ? <JobProgress name={wordOf(running.kind)} job={running} /> : null}
      {step === 'ready' && scan.data ? (
        <div>
          <Button
            look="primary"
            icon={Download}
            reason={offline}
            busy={startImport.isPending}
            onClick={() => startImport.mutate(undefined)}
          >
            Import {plural(scan.data.notArchived, 'session')}
          </Button>
        </div>
      ) : null}
      {step === 'kept' && scan.data ? (
        <p className="text-sm text-second">
          {plural(scan.data.sessions - scan.data.excluded, 'session')} imported, unchanged
          {scan.data.excluded > 0 ? `; ${plural(scan.data.excluded, 'session')} excluded` : ''}.
        </p>
      ) : null}
      {step === 'excluded' ? <p className="text-sm text-second">Every project is excluded, so there is nothing to import.</p> : null}
      {step === 'none' && samplesLoaded > 0 ? (
        <p className="text-sm text-second">
          <TextLink href={tracesHref('is:sample')}>{plural(samplesLoaded, 'sample session')}</TextLink> loaded. Remove them in{' '}
          <TextLink href="/settings/storage">Settings</TextLink>. Your own sessions appear here as soon as you start one.
        </p>
      ) : null}
      {step === 'none' && samplesLoaded === 0 ? (
        <>
          <p className="text-sm text-second">
            No sessions of Claude Code, Codex, Gemini CLI or OpenCode were found on this machine. Start one in any terminal and it appears
            here, or load the sample sessions that come with Bash Gym. They are marked as samples and removed in one click.
          </p>
          <div>
            <Button icon={FlaskConical} reason={offline} busy={samples.isPending} onClick={() => samples.mutate()}>
              Load sample sessions
            </Button>
          </div>
        </>
      ) : null}
    </Step>
  )
}
