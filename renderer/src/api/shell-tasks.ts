import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { pathOf } from '#contracts/derive/client.ts'
import type { Sandbox } from '#contracts/entities/sandbox.ts'
import type { ShellTask } from '#contracts/entities/shell-task.ts'
import { type changeShellTask, exportShellTasks, type ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { answered } from './answer.ts'
import { api } from './client.ts'
import { download } from './download.ts'
import type { Cache, Handlers } from './messages.ts'
import { forget } from './rows.ts'

export const shellTaskKeys = {
  /** Every list. */
  all: ['shell-tasks'] as const,
  list: (filter: ShellTaskFilter) => ['shell-tasks', filter] as const,
  one: (id: string) => ['shell-task', id] as const,
}

const PAGE = 100

export const useShellTasks = (filter: ShellTaskFilter) =>
  useInfiniteQuery({
    queryKey: shellTaskKeys.list(filter),
    queryFn: ({ pageParam, signal }) => api.listShellTasks({ query: { ...filter, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    placeholderData: (before) => before,
  })

/** Splits with their number of tasks, by name. */
export const useShellTaskSplits = () =>
  useQuery({
    queryKey: [...shellTaskKeys.all, 'splits'],
    queryFn: async ({ signal }) => {
      const { counts, heldOutSplits } = await api.listShellTasks({ query: { limit: 1 }, signal })
      return { counts: counts.split, heldOutSplits }
    },
  })

export const useShellTask = (id: string) =>
  useQuery({ queryKey: shellTaskKeys.one(id), queryFn: ({ signal }) => api.getShellTask({ params: { id }, signal }) })

export type ShellTaskChange = z.input<typeof changeShellTask.body>

/** Actions on a task. */
export function useShellTaskActions(
  id: string,
  on: { saved?: () => void; removed?: () => void; opened?: (sandbox: Sandbox) => void } = {},
) {
  const queries = useQueryClient()
  const key = shellTaskKeys.one(id)
  const act = answered(queries, { key: () => key, lists: shellTaskKeys.all, apply: (task: ShellTask) => queries.setQueryData(key, task) })
  return {
    change: useMutation({
      mutationFn: (body: ShellTaskChange) => api.changeShellTask({ params: { id }, body }),
      ...act,
      onSuccess: (task, given, context) => {
        act.onSuccess(task, given, context)
        on.saved?.()
      },
      meta: { quiet: true },
    }),
    remove: useMutation({
      mutationFn: () => api.removeShellTask({ params: { id } }),
      onSuccess: () => {
        forget(queries, key, 'shell_task_not_found')
        void queries.invalidateQueries({ queryKey: shellTaskKeys.all })
        on.removed?.()
      },
      meta: { title: "Couldn't remove the shell task" },
    }),
    run: useMutation({
      mutationFn: () => api.runShellTask({ params: { id } }),
      onSuccess: (sandbox) => on.opened?.(sandbox),
      meta: { title: "Couldn't open a sandbox for the task" },
    }),
    check: useMutation({
      mutationFn: (sandboxId: string) => api.checkShellTask({ params: { id }, body: { sandboxId } }),
      meta: { title: "Couldn't run the check" },
    }),
  }
}

export const useExportShellTasks = (filter: ShellTaskFilter) =>
  useMutation({
    mutationFn: (format: 'jsonl' | 'harbor' | 'verifiers') => download(pathOf(exportShellTasks, { query: { ...filter, format } })),
    meta: { title: "Couldn't export the shell tasks" },
  })

export const shellTaskMessages = ({ refetch, refetchSoon, afterBreak }: Cache) => {
  const lists = refetchSoon(shellTaskKeys.all)
  return {
    'shell-tasks:changed': ({ id }) => {
      lists()
      if (id !== null) refetch(shellTaskKeys.one(id))
    },
    hello: () => afterBreak(shellTaskKeys.all, ['shell-task']),
  } satisfies Partial<Handlers>
}
