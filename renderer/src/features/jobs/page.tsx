import type { Job } from '#contracts/entities/job.ts'
import { useCapture } from '#renderer/api/capture.ts'
import { activeJobs, LISTED_JOBS, isActive, useJobs } from '#renderer/api/jobs.ts'
import type { Feature, Outcome } from '#renderer/app/feature.ts'
import { jobWord, outcomeOf } from '#renderer/app/job-words.ts'
import { failureSentence } from '#renderer/app/words/jobs.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatBytes, formatCount, formatDuration, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'

const TONE: Record<Job['state'], Tone> = { queued: 'neutral', running: 'accent', completed: 'ok', failed: 'bad', cancelled: 'neutral' }

/** Running jobs, with a button that stops them, and the results of the latest ones. */
export default function JobsPage({ features }: { features: readonly Feature[] }) {
  const jobs = useJobs()
  const { data: capture } = useCapture()
  const active = activeJobs(jobs.data?.items ?? [])
  const ended = jobs.data?.items.filter((job) => !isActive(job)) ?? []
  return (
    <Page
      title="Jobs"
      summary="Imports, scans, data set builds and other long tasks. They keep running when you close this window, as long as the app is running."
    >
      <Fetched query={jobs} what="jobs" bars={['h-10 w-full', 'h-10 w-full']}>
        {({ items }) =>
          items.length === 0 && !capture?.indexing ? (
            <EmptyState title="No jobs yet">
              Imports, scans, data set builds and other long tasks appear here, with their progress and results.
            </EmptyState>
          ) : null
        }
      </Fetched>
      {active.length > 0 || capture?.indexing ? (
        <Section title="Running">
          {active.map((job) => (
            <JobProgress key={job.id} name={jobWord(features, job.kind)} job={job} />
          ))}
          {capture?.indexing ? (
            <JobLine
              name="Search index"
              sentence={`${formatBytes(capture.indexing.pendingBytes)} in ${plural(capture.indexing.pendingEntries, 'entry', 'entries')} left; new text becomes searchable when this finishes`}
              share={null}
            />
          ) : null}
        </Section>
      ) : null}
      {ended.length > 0 ? (
        <Section title="Finished" note={jobs.data?.items.length === LISTED_JOBS ? `latest ${formatCount(ended.length)}` : undefined}>
          <ul>
            {ended.map((job) => (
              <li key={job.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 text-sm">
                <span className="w-40 font-semibold">{jobWord(features, job.kind)}</span>
                <Badge tone={TONE[job.state]}>{job.state}</Badge>
                <span className="min-w-60 flex-1 text-second">
                  {job.error ? failureSentence(job.error) : <Result outcome={outcomeOf(features, job)} />}
                </span>
                <span className="text-xs text-second">
                  {job.startedAt && job.endedAt ? formatDuration(Date.parse(job.endedAt) - Date.parse(job.startedAt)) : null}
                </span>
                <RelativeTime at={job.endedAt} className="w-24 text-right text-xs text-second" />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </Page>
  )
}

const Result = ({ outcome }: { outcome: Outcome | null }) =>
  outcome && (
    <>
      {outcome.sentence}
      {outcome.link ? (
        <>
          {'. '}
          <TextLink href={outcome.link.href}>{outcome.link.label}</TextLink>
        </>
      ) : null}
    </>
  )
