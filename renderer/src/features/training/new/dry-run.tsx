import { z } from 'zod'
import type { RunRequest } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { formatCount, formatDuration } from '#renderer/ui/format.ts'
import { formatMegabytes } from '../words.ts'

const Result = z.object({
  stepSec: z.number().nullable(),
  peakRssMb: z.number().nullable(),
  peakVramMb: z.number().nullable(),
  longest: z.number().nullable(),
  isWorstCase: z.boolean(),
})

/** Measures time and memory of two steps on the longest rows. */
export function useDryRun() {
  const job = useJobOf('dry-run', (body: RunRequest) => api.dryRun({ body }), "Couldn't start the dry run")
  const result = Result.safeParse(job.result)
  return { ...job, measurement: result.success ? result.data : null }
}

export function DryRunResult({ dryRun, steps }: { dryRun: ReturnType<typeof useDryRun>; steps: number | null }) {
  const { measurement } = dryRun
  return (
    <div role="status" className="flex flex-col gap-2 empty:hidden">
      <JobState name="Dry run" work={dryRun} failed="The dry run failed" stopped="The dry run was stopped." />
      {measurement ? <p className="text-sm">{resultSentence(measurement, steps)}</p> : null}
    </div>
  )
}

function resultSentence({ stepSec, peakRssMb, peakVramMb, longest, isWorstCase }: z.infer<typeof Result>, steps: number | null) {
  const rows = isWorstCase ? 'rows' : 'prompts'
  const memory = peakVramMb === null ? formatMegabytes(peakRssMb) : `${formatMegabytes(peakVramMb)} on the GPU`
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
