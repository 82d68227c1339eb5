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

/** The request of a draft, its plans and its start: one run, or one for each combination of several values. */
export function useStart(draft: Draft) {
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const environment = useTrainingEnvironment().data
  const read = useMemo(() => requestOf(draft), [draft])
  const request = 'request' in read ? read.request : null
  const errors: Record<string, string> = 'errors' in read ? read.errors : {}
  const readAxes = useMemo(() => axesOf(draft), [draft])
  const axes = 'axes' in readAxes ? readAxes.axes : null
  const axesError = 'error' in readAxes ? readAxes.error : null
  const isMatrix = draft.axes.length > 0
  const planned = usePlan(request, RUN_PLAN)
  const matrix = usePlan(request && axes && { ...request, axes }, MATRIX_PLAN)
  const idempotencyKey = useIdempotencyKey({ request, axes })
  const run = useStartRun(({ id }) => go(runHref(id)))
  const runs = useStartMatrix(({ id }) => go(matrixHref(id)))
  const [tried, setTried] = useState(false)
  const needs = firstOf(errors)
  const refusals = planned.plan?.notes.filter(({ level }) => level === 'refusal') ?? []
  // a dry run is what finds out whether memory suffices
  const unfit = refusals.find(({ code }) => code !== 'memory')?.message ?? null
  const noPython =
    environment && environment.state !== 'ready'
      ? (environment.problem ?? 'No Python for training is set up. See Settings → Training.')
      : null
  const matrixRefusal = matrix.plan?.startable === 0 ? (matrix.plan.runs[0]?.refusals[0]?.message ?? null) : null
  const planProblem = isMatrix
    ? (axesError ?? matrix.error?.message ?? matrixRefusal)
    : (planned.error?.message ?? refusals[0]?.message ?? null)
  const reason = offline ?? needs ?? planProblem ?? noPython
  const combinations = axes === null ? 0 : matrixSize(axes)
  const startable = matrix.isOld ? combinations : (matrix.plan?.startable ?? combinations)
  const isPending = run.isPending || runs.isPending
  const begin = () => {
    setTried(true)
    if (!request || reason !== null || isPending) return
    if (!isMatrix) run.mutate({ ...request, idempotencyKey })
    else if (axes) runs.mutate({ ...request, axes, skipRefused: startable < combinations, idempotencyKey })
  }
  return {
    request,
    errors,
    /** A missing field is an error only after a start was tried; a wrong one at once. */
    errorOf: (path: string) => (tried || !isMissing(path) ? errors[path] : undefined),
    needs,
    planned,
    matrix,
    hasMatrixPlan: isMatrix && request !== null && axes !== null && !matrix.error,
    axesError,
    noPython,
    reason,
    dryRunReason: offline ?? needs ?? planned.error?.message ?? unfit ?? noPython,
    label: !isMatrix ? 'Start run' : startable < combinations ? `Start ${startable} of ${combinations} runs` : `Start ${combinations} runs`,
    isPending,
    runError: run.error,
    runsError: runs.error,
    begin,
  }
}

const LABELS = new Map([...ALL_FIELDS.map(({ path, label }) => [path, label] as const), ['name', 'Name'], ['tags', 'Tags']])

/** The first error, with the label of its field. */
function firstOf(errors: Record<string, string>): string | null {
  const [first] = Object.entries(errors)
  if (!first) return null
  const label = LABELS.get(first[0])
  return label === undefined ? first[1] : `${label}: ${first[1]}`
}

const isMissing = (path: string): boolean => path === 'datasetId' || path === 'file' || path === 'baseModel' || path === 'teacher'
