import { useQuery } from '@tanstack/react-query'
import type { Task } from '#contracts/entities/task.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { forget } from './rows.ts'

export const taskKeys = {
  all: ['tasks'] as const,
  one: (id: string) => ['task', id] as const,
  events: (id: string) => ['task-events', id] as const,
  change: (id: string) => ['task-change', id] as const,
}

export const useTask = (id: string) =>
  useQuery({ queryKey: taskKeys.one(id), queryFn: ({ signal }) => api.getTask({ params: { id }, signal }) })

export const taskMessages = ({ queries, again, soon, put, afterBreak }: Cache) => {
  const lists = soon(taskKeys.all)
  const status = ({ task }: { task: Task }) => {
    put<Task>(taskKeys.one(task.id), () => task)
    lists()
  }
  return {
    'task:status': status,
    'task:complete': (payload) => {
      status(payload)
      again(taskKeys.change(payload.task.id))
    },
    'task:removed': ({ id }) => {
      forget(queries, taskKeys.one(id), 'task_not_found')
      lists()
    },
    'task:progress': ({ id, lastEvent: _, ...change }) => {
      put<Task>(taskKeys.one(id), (known) => (known ? { ...known, ...change } : known))
      again(taskKeys.events(id))
    },
    hello: () => afterBreak(taskKeys.all, ['task'], ['task-events'], ['task-change']),
  } satisfies Partial<Handlers>
}
