import { Check, Download, FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { isActive, jobWord, progressSentence, progressShare } from '#renderer/api/job-words.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import {
  useCancelJob,
  useHooks,
  useImportSamples,
  useJobs,
  usePatchSettings,
  useScan,
  useStartImport,
  useStats,
} from '#renderer/api/queries.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { foundSentence, historyStep, riskSentence } from './decide.ts'
import { Projects } from './projects.tsx'

/** Under two minutes, each step may be left out, nothing blocks: the rest of the app works meanwhile. `hooks` is the set-up of Settings. */
export default function FirstRunPage({ hooks }: { hooks: ReactNode }) {
  const patch = usePatchSettings()
  const offline = useOfflineReason()
  const stats = useStats()
  const hooksDone = useHooks().data?.installed ?? false
  const finish = () => patch.mutate({ onboarding: { done: true } })
  return (
    <Page
      title="Welcome to Bash Gym"
      narrow
      summary="It keeps your Claude Code sessions on this machine and scores them. Nothing is sent anywhere."
      // here nothing moves them while what stands below is still being read
      actions={
        <>
          <TextLink href="/traces" className="text-sm">
            Look at the sessions first
          </TextLink>
          <Button look="quiet" reason={offline} onClick={finish}>
            Skip the set-up
          </Button>
        </>
      }
    >
      <ol className="flex flex-col">
        <HistoryStep />
        <Step number={2} title="Follow sessions while they run" done={hooksDone}>
          <p className="text-sm text-second">
            Hooks tell Bash Gym at once when a session moves. They add a few milliseconds to a tool call and never stop Claude Code. Without
            them sessions still arrive, only later. This is the exact change to your settings file; a backup is kept.
          </p>
          {hooks}
        </Step>
        <Step number={3} title="Look at what came in">
          <p className="text-sm text-second">
            {stats.data && stats.data.traces > 0
              ? `${plural(stats.data.traces, 'session')} scored so far. The inbox holds those that wait for your word.`
              : 'Sessions show up as they are taken in. The inbox holds those that wait for your word.'}
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

function Step({ number, title, done = false, children }: { number: number; title: string; done?: boolean; children: ReactNode }) {
  return (
    <li className="flex gap-4 border-t border-line py-5">
      <span
        aria-hidden
        className={cn(
          'flex size-6 shrink-0 items-center justify-center rounded-full border text-xs',
          done ? 'border-ok text-ok' : 'border-edge text-second',
        )}
      >
        {done ? <Check size={14} /> : number}
      </span>
      <section aria-label={title} className="flex min-w-0 flex-1 flex-col gap-3">
        <h2 className="text-lg font-semibold">{title}</h2>
        {children}
      </section>
    </li>
  )
}

function HistoryStep() {
  const scan = useScan()
  const jobs = useJobs()
  const running = jobs.data?.items.find((job) => (job.kind === 'import' || job.kind === 'samples') && isActive(job)) ?? null
  const startImport = useStartImport()
  const samples = useImportSamples()
  const cancel = useCancelJob()
  const offline = useOfflineReason()
  const leftOut = scan.data?.byProject.some((project) => project.leftOut) ?? false
  const step = historyStep(scan.data, running)
  const risk = scan.data ? riskSentence(scan.data) : null

  return (
    <Step number={1} title="Keep your history" done={step === 'kept'}>
      {scan.error && !scan.data ? (
        <ErrorState title="This machine could not be searched" error={scan.error} retry={() => void scan.refetch()} />
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
          {risk ? <p className={scan.data.atRisk > 0 ? 'text-warn' : 'text-second'}>{risk}</p> : null}
          {scan.data.nextCleanup && scan.data.nextCleanup.sessions > 0 ? (
            <p className="text-second">
              Next clean-up: <RelativeTime at={scan.data.nextCleanup.at} due="due" />, at the start of a session.
            </p>
          ) : null}
        </div>
      ) : null}
      {scan.data && scan.data.byProject.length > 0 ? <Projects projects={scan.data.byProject} /> : null}
      {running ? (
        <JobLine
          name={jobWord(running.kind)}
          sentence={progressSentence(running)}
          share={progressShare(running)}
          actions={
            <Button size="small" look="quiet" reason={offline} onClick={() => cancel.mutate(running.id)}>
              Stop
            </Button>
          }
        />
      ) : null}
      {step === 'ready' && scan.data ? (
        <div>
          <Button icon={Download} reason={offline} busy={startImport.isPending} onClick={() => startImport.mutate(undefined)}>
            Take in {plural(scan.data.notArchived, 'session')}
          </Button>
        </div>
      ) : null}
      {step === 'kept' ? (
        <p className="text-sm text-second">All of them are in your archive, unchanged{leftOut ? ', but for what you left out' : ''}.</p>
      ) : null}
      {step === 'none' ? (
        <>
          <p className="text-sm text-second">
            There is no Claude Code history on this machine. Start a session in any terminal and it appears here, or look around with the
            sample sessions that come with the product; they are marked as samples and removed in one click.
          </p>
          <div>
            <Button icon={FlaskConical} reason={offline} busy={samples.isPending} onClick={() => samples.mutate()}>
              Take in the samples
            </Button>
          </div>
        </>
      ) : null}
    </Step>
  )
}
