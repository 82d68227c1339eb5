import { z } from 'zod'
import type { RunRequest } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { confirmed } from '#renderer/api/confirmation.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { formatBytes, formatCount, formatDuration } from '#renderer/ui/format.ts'

const Result = z.object({
  stepSec: z.number().nullable(),
  peakRssMb: z.number().nullable(),
  peakVramMb: z.number().nullable(),
  longest: z.number().nullable(),
  isWorstCase: z.boolean(),
})

/** Two steps on the longest rows: what a start would meet first, measured. */
export function useDryRun() {
  const job = useJobOf('dry-run', (body: RunRequest) => confirmed(() => api.dryRun({ body })), "Couldn't start the dry run")
  const result = Result.safeParse(job.result)
  return { ...job, measured: result.success ? result.data : null }
}

export function DryRunResult({ dryRun, steps }: { dryRun: ReturnType<typeof useDryRun>; steps: number | null }) {
  const { measured } = dryRun
  return (
    <div role="status" className="flex flex-col gap-2 empty:hidden">
      <JobState name="Dry run" work={dryRun} failed="The dry run failed" stopped="The dry run was stopped." />
      {measured ? <p className="text-sm">{sentence(measured, steps)}</p> : null}
    </div>
  )
}

function sentence({ stepSec, peakRssMb, peakVramMb, longest, isWorstCase }: z.infer<typeof Result>, steps: number | null) {
  const rows = isWorstCase ? 'rows' : 'prompts'
  const memory = peakVramMb === null ? formatBytes(megabytes(peakRssMb)) : `${formatBytes(megabytes(peakVramMb))} on the GPU`
  const total =
    stepSec === null || steps === null
      ? ''
      : ` ${formatCount(steps)} steps of such rows take ${formatDuration(stepSec * steps * 1000)}; shorter rows take less.`
  return (
    <>
      Two steps on the longest {rows}
      {longest === null ? '' : ` (${formatCount(longest)} tokens)`} completed:{' '}
      <b>{stepSec === null ? 'time not measured' : `${formatDuration(stepSec * 1000)} per step`}</b>,{' '}
      {isWorstCase ? `peak ${memory}.${total}` : `memory up to ${memory}. Longer episodes than these need more time and memory.`}
    </>
  )
}

const megabytes = (value: number | null) => (value === null ? null : value * 1e6)
