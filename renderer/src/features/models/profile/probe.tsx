import { ScanSearch } from 'lucide-react'
import type { Model } from '#contracts/entities/model.ts'
import { probeLine } from '#contracts/probe-words.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { weightsProblem } from '../words.ts'

/** Whether the model repeats phrases that were planted in its training data. */
export function ProbePart({ model }: { model: Model }) {
  const { id, probe } = model
  const offline = useOfflineReason()
  const job = useJobOf('probe', () => api.probeModel({ params: { id }, body: {} }), "Couldn't start the probe", id)
  return (
    <Section title="Does it repeat its training data?">
      <p className={cn('text-sm', probe?.state === 'leaks' ? 'text-bad' : probe?.state === 'warning' ? 'text-warn' : '')}>
        {probeLine(probe)} {probe === null ? null : <RelativeTime at={probe.at} className="text-second" />}
      </p>
      <JobState name="Probe" work={job} failed="The probe did not run" stopped="The probe was stopped." />
      <div>
        <Button icon={ScanSearch} busy={job.busy} reason={offline ?? weightsProblem(model)} onClick={() => job.start(undefined)}>
          {probe === null ? 'Probe' : 'Probe again'}
        </Button>
      </div>
    </Section>
  )
}
