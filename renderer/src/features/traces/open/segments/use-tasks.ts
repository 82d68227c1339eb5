import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SegmentCut } from '#contracts/entities/example.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { api } from '#renderer/api/client.ts'
import { traceKeys } from '#renderer/api/traces.ts'
import { useTraceActions } from '../../actions.ts'
import { mapTasks, moveCut, neighbourOf, NO_TASKS, placeAt, taskAt, toggleCut } from './cuts.ts'

/** The tasks of an open session and actions on their boundaries. `rows` are all rows of the session, `indexById` their indices. */
export function useTasks(id: string, rows: readonly TimelineRow[], indexById: ReadonlyMap<string, number>, goTo: (index: number) => void) {
  const actions = useTraceActions()
  const query = useQuery({
    queryKey: traceKeys.segments(id),
    queryFn: ({ signal }) => api.listSegments({ params: { id }, signal }),
    enabled: rows.length > 0,
  })
  const { data } = query
  const tasks = useMemo(
    () => (data && rows.length > 0 ? mapTasks(rows, indexById, data.items, data.together) : NO_TASKS),
    [rows, indexById, data],
  )
  const cuts = data?.cuts ?? []
  const change = (label: string, next: SegmentCut[] | null, stepId?: string) => {
    if (!next) return
    void actions.setCuts(id, next, label)
    const at = stepId === undefined ? undefined : indexById.get(stepId)
    if (at !== undefined) goTo(at)
  }
  const toggleStep = (stepId: string | null | undefined) => {
    if (!stepId) return
    const isMerge = tasks.segments.some(({ firstStepId }) => firstStepId === stepId)
    change(isMerge ? 'Task merged with the previous one' : 'Task started here', toggleCut(cuts, tasks.segments, stepId))
  }
  const move = (segment: number, stepId: string | null) => {
    if (stepId) change('Boundary moved', moveCut(cuts, tasks, segment, stepId), stepId)
  }
  /** The boundary at a row between the start of a task and its first call. */
  const boundaryAt = (row: number): number => {
    const task = taskAt(tasks, row)
    return task > 0 && row <= (tasks.firsts[task] ?? -1) ? task : -1
  }
  return {
    tasks,
    userCutCount: cuts.length,
    canUndo: data?.canUndo ?? false,
    error: query.error,
    boundaryAt,
    /** The call at which a task could start, for a row. */
    placeAt: (row: number) => (row < 0 ? null : placeAt(tasks, row)),
    toggleAt: (row: number) => {
      const boundary = boundaryAt(row)
      toggleStep(boundary > 0 ? tasks.segments[boundary]?.firstStepId : placeAt(tasks, row))
    },
    join: (segment: number) => toggleStep(tasks.segments[segment]?.firstStepId),
    step: (segment: number, direction: 1 | -1) => move(segment, neighbourOf(tasks, segment, direction)),
    moveTo: (segment: number, row: number) => move(segment, placeAt(tasks, row)),
    /** Goes to the start of the next or the previous task. */
    goToTask: (row: number, direction: 1 | -1) => {
      const task = taskAt(tasks, row)
      const target = direction < 0 && row > (tasks.starts[task] ?? 0) ? task : task + direction
      const start = tasks.starts[target]
      if (start !== undefined) goTo(start)
    },
    reset: () => change('Task boundaries reset', []),
    undo: () => void actions.undoCuts(id),
  }
}

export type Tasks = ReturnType<typeof useTasks>
