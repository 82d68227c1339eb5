import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import { patchJob } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'
import { onTracesChanged } from './traces.ts'

export const scoringKeys = {
  preview: (proposal: unknown) => ['scoring-preview', proposal] as const,
  previews: ['scoring-preview'] as const,
  commandOverrides: ['command-overrides'] as const,
  anyStepCommands: ['step-commands'] as const,
  stepCommands: (traceId: string, command: string, cwd: string | null) => ['step-commands', traceId, command, cwd] as const,
}

/** What the user said of commands. */
export const useCommandOverrides = () =>
  useQuery({ queryKey: scoringKeys.commandOverrides, queryFn: ({ signal }) => api.listCommandOverrides({ signal }) })

export function useRescore() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.startRescore({ body: {} }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't start rescoring" },
  })
}

export const scoringMessages = ({ again, soon }: Cache) =>
  ({
    ...onTracesChanged(soon(scoringKeys.previews)),
    'settings:changed': () => again(scoringKeys.previews),
  }) satisfies Partial<Handlers>
