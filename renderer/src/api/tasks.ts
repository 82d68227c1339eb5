import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Task, TaskEvent, TaskRequest, TaskState } from '#contracts/entities/task.ts'
import type { answerTask, createTask, handBackTask, reviewTask } from '#contracts/routes/tasks.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { answered, starting } from './answer.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { forget, withoutRow, withRow, type Pages } from './rows.ts'

export const taskKeys = {
  /** Every list. */
  all: ['tasks'] as const,
  list: (filter: TaskFilter) => ['tasks', filter] as const,
  one: (id: string) => ['task', id] as const,
  events: (id: string) => ['task-events', id] as const,
  change: (id: string) => ['task-change', id] as const,
  plan: (request: object | null) => ['task-plan', request] as const,
}

export interface TaskFilter {
  state?: TaskState[]
  q?: string
  batchId?: string
}

/** The request as typed; absent fields take their defaults. */
export type TaskDraft = z.input<typeof TaskRequest>

const PAGE = 100

export const useTasks = (filter: TaskFilter) =>
  useInfiniteQuery({
    queryKey: taskKeys.list(filter),
    queryFn: ({ pageParam, signal }) => api.listTasks({ query: { ...filter, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    placeholderData: (before) => before,
  })

/** The filter for runs that work, wait in the queue or need the user. */
const ACTIVE: TaskFilter = { state: ['queued', 'preparing', 'working', 'waiting', 'verifying', 'needs_you', 'paused', 'review'] }
export const useActiveTasks = () => useTasks(ACTIVE)

export const useTask = (id: string) =>
  useQuery({ queryKey: taskKeys.one(id), queryFn: ({ signal }) => api.getTask({ params: { id }, signal }), enabled: id !== '' })

const EVENTS_AT_ONCE = 1000

/** Events of the agent so far; a message about new ones loads those after the last known one. */
export function useTaskEvents(id: string) {
  const queries = useQueryClient()
  return useQuery({
    queryKey: taskKeys.events(id),
    queryFn: async ({ signal }): Promise<readonly TaskEvent[]> => {
      let known = queries.getQueryData<readonly TaskEvent[]>(taskKeys.events(id)) ?? []
      for (;;) {
        const { items } = await api.listTaskEvents({
          params: { id },
          query: { after: known.at(-1)?.no ?? 0, limit: EVENTS_AT_ONCE },
          signal,
        })
        known = items.length === 0 ? known : [...known, ...items]
        if (items.length < EVENTS_AT_ONCE) return known
      }
    },
    structuralSharing: false,
  })
}

export const useTaskChange = (id: string, enabled: boolean) =>
  useQuery({ queryKey: taskKeys.change(id), queryFn: ({ signal }) => api.getTaskChange({ params: { id }, signal }), enabled })

export function useStartTask(onStarted: (task: Task) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof createTask.body>) => api.createTask({ body }),
    ...starting(queries, { one: taskKeys.one, lists: taskKeys.all }, onStarted),
  })
}

/** Updates a run on its own page and in every list. */
function patchTask(queries: Cache['queries'], task: Partial<Task> & { id: string }): void {
  queries.setQueryData<Task>(taskKeys.one(task.id), (before) => (before ? { ...before, ...task } : before))
  queries.setQueriesData<Pages<Task>>({ queryKey: taskKeys.all }, (data) => withRow(data, task))
}

/** Actions on a run. */
export function useTaskActions(id: string) {
  const queries = useQueryClient()
  const act = answered(queries, { key: () => taskKeys.one(id), lists: taskKeys.all, apply: (task: Task) => patchTask(queries, task) })
  return {
    stop: useMutation({ mutationFn: () => api.cancelTask({ params: { id } }), ...act, meta: { title: "Couldn't stop the run" } }),
    pause: useMutation({ mutationFn: () => api.pauseTask({ params: { id } }), ...act, meta: { title: "Couldn't pause the run" } }),
    resume: useMutation({ mutationFn: () => api.resumeTask({ params: { id } }), ...act, meta: { title: "Couldn't resume the run" } }),
    interrupt: useMutation({
      mutationFn: () => api.interruptTask({ params: { id } }),
      ...act,
      meta: { title: "Couldn't interrupt the agent" },
    }),
    message: useMutation({
      mutationFn: (text: string) => api.messageTask({ params: { id }, body: { text } }),
      ...act,
      meta: { title: "Couldn't send the message" },
    }),
    answer: useMutation({
      mutationFn: (body: z.input<typeof answerTask.body>) => api.answerTask({ params: { id }, body }),
      ...act,
      meta: { title: "Couldn't answer" },
    }),
  }
}

/** Removes ended runs with their files; `force`: even if the change of a run was not handed back. */
export function useRemoveTasks(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, force }: { ids: readonly string[]; force: boolean }) => {
      for (const id of ids) {
        await api.removeTask({ params: { id }, query: { force: force ? 'true' : 'false' } })
        dropTask(queries, id)
      }
    },
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: taskKeys.all }),
    meta: { title: "Couldn't remove the run" },
  })
}

function dropTask(queries: Cache['queries'], id: string): void {
  queries.setQueriesData<Pages<Task>>({ queryKey: taskKeys.all }, (data) => withoutRow(data, id))
  forget(queries, taskKeys.one(id), 'task_not_found')
}

/** Actions of a review: read marks, comments, handing back and undoing it. */
export function useReviewActions(id: string) {
  const queries = useQueryClient()
  const refetch = () => queries.invalidateQueries({ queryKey: taskKeys.change(id) })
  const act = answered(queries, { key: () => taskKeys.one(id), lists: taskKeys.all, apply: (task: Task) => patchTask(queries, task) })
  return {
    review: useMutation({
      mutationFn: (body: z.input<typeof reviewTask.body>) => api.reviewTask({ params: { id }, body }),
      onSettled: refetch,
      meta: { title: "Couldn't save the review" },
    }),
    send: useMutation({
      mutationFn: () => api.sendReview({ params: { id } }),
      ...act,
      onSettled: refetch,
      meta: { title: "Couldn't send the comments" },
    }),
    handBack: useMutation({
      mutationFn: (body: z.input<typeof handBackTask.body>) => api.handBackTask({ params: { id }, body }),
      ...act,
      meta: { quiet: true },
    }),
    undo: useMutation({ mutationFn: () => api.undoHandBack({ params: { id } }), ...act, meta: { quiet: true } }),
  }
}

export const taskMessages = ({ queries, refetch, refetchSoon, refetchInFlight, write, afterBreak }: Cache) => {
  const lists = refetchSoon(taskKeys.all)
  const status = ({ task }: { task: Task }) => {
    refetchInFlight(taskKeys.one(task.id))
    patchTask(queries, task)
    // the new state may add it to a filtered list or remove it
    lists()
    refetch(taskKeys.events(task.id))
    if (task.state === 'paused') refetch(taskKeys.change(task.id))
  }
  return {
    'task:status': status,
    'task:complete': (payload) => {
      status(payload)
      refetch(taskKeys.change(payload.task.id))
    },
    'task:removed': ({ id }) => {
      refetchInFlight(taskKeys.all)
      dropTask(queries, id)
    },
    'task:progress': ({ id, turns, tokens, costUsd }) => {
      const change = { turns, tokens, costUsd }
      write<Task>(taskKeys.one(id), (known) => (known ? { ...known, ...change } : known))
      queries.setQueriesData<Pages<Task>>({ queryKey: taskKeys.all }, (data) => withRow(data, { id, ...change }))
      refetch(taskKeys.events(id))
    },
    hello: () => afterBreak(taskKeys.all, ['task'], ['task-events'], ['task-change']),
  } satisfies Partial<Handlers>
}
