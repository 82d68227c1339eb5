import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { matrixSize } from '#contracts/entities/run-matrix.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { matrixHref, runHref } from '#renderer/app/links.ts'
import { useIdempotencyKey, usePlan } from '#renderer/app/use-plan.ts'
import { useTrainingEnvironment } from '#renderer/api/training-environment.ts'
import { useStartMatrix, useStartRun } from '../queries.ts'
import { axesOf, requestOf, type Draft } from './draft.ts'
import { ALL_FIELDS } from './fields.ts'
import { MATRIX_PLAN, RUN_PLAN } from './plans.ts'

/** The request of a draft, its plans, and the function that starts one run or a run for each combination of values. */
export function useStart(draft: Draft) {
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const environment = useTrainingEnvironment().data
  const parsed = useMemo(() => requestOf(draft), [draft])
  const request = 'request' in parsed ? parsed.request : null
  const errors: Record<string, string> = 'errors' in parsed ? parsed.errors : {}
  const parsedAxes = useMemo(() => axesOf(draft), [draft])
  const axes = 'axes' in parsedAxes ? parsedAxes.axes : null
  const axesError = 'error' in parsedAxes ? parsedAxes.error : null
  const isMatrix = draft.axes.length > 0
  const runPlan = usePlan(request, RUN_PLAN)
  const matrix = usePlan(request && axes && { ...request, axes }, MATRIX_PLAN)
  const idempotencyKey = useIdempotencyKey({ request, axes })
  const run = useStartRun(({ id }) => go(runHref(id)))
  const runs = useStartMatrix(({ id }) => go(matrixHref(id)))
  const [hasTriedStart, setHasTriedStart] = useState(false)
  const formProblem = firstError(errors)
  const refusals = runPlan.plan?.notes.filter(({ level }) => level === 'refusal') ?? []
  // a refusal because of memory allows a dry run, which measures the memory
  const dryRunRefusal = refusals.find(({ code }) => code !== 'memory')?.message ?? null
  const noPython =
    environment && environment.state !== 'ready'
      ? (environment.problem ?? 'No Python for training is set up. See Settings → Training.')
      : null
  const matrixRefusal = matrix.plan?.startable === 0 ? (matrix.plan.runs[0]?.refusals[0]?.message ?? null) : null
  const planProblem = isMatrix
    ? (axesError ?? matrix.error?.message ?? matrixRefusal)
    : (runPlan.error?.message ?? refusals[0]?.message ?? null)
  const reason = offline ?? formProblem ?? planProblem ?? noPython
  const combinations = axes === null ? 0 : matrixSize(axes)
  const startable = matrix.isOld ? combinations : (matrix.plan?.startable ?? combinations)
  const isPending = run.isPending || runs.isPending
  const begin = () => {
    setHasTriedStart(true)
    if (!request || reason !== null || isPending) return
    if (!isMatrix) run.mutate({ ...request, idempotencyKey })
    else if (axes) runs.mutate({ ...request, axes, skipRefused: startable < combinations, idempotencyKey })
  }
  return {
    request,
    errors,
    /** Shows an invalid field at once, but a missing one only after the user tried to start. */
    errorOf: (path: string) => (hasTriedStart || !isMissing(path) ? errors[path] : undefined),
    formProblem,
    runPlan,
    matrix,
    hasMatrixPlan: isMatrix && request !== null && axes !== null && !matrix.error,
    axesError,
    noPython,
    reason,
    dryRunReason: offline ?? formProblem ?? runPlan.error?.message ?? dryRunRefusal ?? noPython,
    label: !isMatrix ? 'Start run' : startable < combinations ? `Start ${startable} of ${combinations} runs` : `Start ${combinations} runs`,
    isPending,
    runError: run.error,
    runsError: runs.error,
    begin,
  }
}

const LABELS = new Map([...ALL_FIELDS.map(({ path, label }) => [path, label] as const), ['name', 'Name'], ['tags', 'Tags']])

/** The first error, with the label of its field. */
function firstError(errors: Record<string, string>): string | null {
  const [first] = Object.entries(errors)
  if (!first) return null
  const label = LABELS.get(first[0])
  return label === undefined ? first[1] : `${label}: ${first[1]}`
}

const isMissing = (path: string): boolean => path === 'datasetId' || path === 'file' || path === 'baseModel' || path === 'teacher'
