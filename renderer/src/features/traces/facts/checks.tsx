import { FlaskConical } from 'lucide-react'
import type { CheckReport, KeptCheck } from '#contracts/entities/check.ts'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { useTraceChecks } from '#renderer/api/checks.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Compared } from '#renderer/app/compared-checks.tsx'
import { CHECK_WORDS, checkCounts, checkReason, restoredSentence } from '#renderer/app/words/checks.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Section } from './section.tsx'

/** Failed tests that are listed by name. */
const MAX_NAMES = 5

/** The project's own tests on the state that the session left: run again, not read from the transcript. */
export function Checks({ trace }: { trace: TraceDetail }) {
  const offline = useOfflineReason()
  const checks = useTraceChecks(trace.id)
  const { kept, error, busy } = checks
  return (
    <Section title="Checks">
      {kept && !busy ? (
        <>
          <Result report={kept.report} />
          <p className="text-xs text-second">{scoreSentence(kept, trace.score?.verifiedBy ?? null)}</p>
        </>
      ) : null}
      <JobState name="Checks" work={checks} failed="The checks did not run" stopped="The checks were stopped." />
      {kept || error ? null : (
        <p className="text-xs text-second">
          The project&apos;s own tests, on a copy of what this session left, in a sandbox without network. The project is not changed.
        </p>
      )}
      <div>
        <Button size="small" icon={FlaskConical} busy={busy} reason={offline} onClick={() => checks.start(undefined)}>
          {kept ? 'Run its checks again' : 'Run its checks'}
        </Button>
      </div>
    </Section>
  )
}

/** Whether the result is the verification of the session. */
function scoreSentence({ counts, report }: KeptCheck, verifiedBy: string | null): string {
  if (counts)
    return verifiedBy === null
      ? 'The session has continued since then, so its score does not use this result.'
      : 'Its score uses this result.'
  if (report.status === 'passed' || report.status === 'failed')
    return 'Its score does not use this result, because part of what the session changed may be missing from the copy.'
  return 'Its score does not use this result.'
}

function Result({ report }: { report: CheckReport }) {
  const { word, tone } = CHECK_WORDS[report.status]
  const failedTests = report.tests.filter(
    ({ name, outcome }) =>
      (outcome === 'failed' || outcome === 'error') && !report.newFailures.includes(name) && !report.knownFailures.includes(name),
  )
  return (
    <div className="flex flex-col gap-1 text-xs">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{word}</Badge>
        <span>{checkReason(report)}</span>
      </p>
      {report.runner === null ? null : (
        <p className="text-second">
          <code className="font-mono">{report.command}</code>: {checkCounts(report)}
        </p>
      )}
      {failedTests.length > 0 ? (
        <ul className="flex flex-col">
          {failedTests.slice(0, MAX_NAMES).map(({ name }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two tests may have one name
            <li key={index} className="font-mono break-words text-bad">
              <Visible text={name} />
            </li>
          ))}
          {failedTests.length > MAX_NAMES ? <li className="text-second">and {failedTests.length - MAX_NAMES} more</li> : null}
        </ul>
      ) : null}
      {report.restored ? <p className="text-second">{restoredSentence(report.restored)}</p> : null}
      <Compared report={report} />
      {report.others.length > 0 ? (
        <p className="break-words text-second">Found and not run: {report.others.map(({ because }) => because).join(', ')}</p>
      ) : null}
    </div>
  )
}
