import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { createShellTask } from '#contracts/routes/shell-tasks.ts'
import { api } from './client.ts'
import { shellTaskKeys } from './shell-tasks.ts'

/** The tasks that can be made from a session. */
export const useShellTaskProposals = (traceId: string) =>
  useQuery({
    queryKey: ['shell-task-proposals', traceId],
    queryFn: ({ signal }) => api.proposeShellTasks({ body: { traceId }, signal }),
    // a refetch would replace what the user is editing
    staleTime: Infinity,
    gcTime: 0,
  })

export function useSaveProposal() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof createShellTask.body>) => api.createShellTask({ body }),
    onSuccess: (task) => {
      queries.setQueryData(shellTaskKeys.one(task.id), task)
      void queries.invalidateQueries({ queryKey: shellTaskKeys.all })
    },
    meta: { quiet: true },
  })
}
