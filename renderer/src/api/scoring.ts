import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { useJobCall } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'
import { onTracesChanged } from './traces.ts'

export const scoringKeys = {
  preview: (proposal: unknown) => ['scoring-preview', proposal] as const,
  previews: ['scoring-preview'] as const,
  commandOverrides: ['command-overrides'] as const,
  anyStepCommands: ['step-commands'] as const,
  stepCommands: (traceId: string, command: string, cwd: string | null) => ['step-commands', traceId, command, cwd] as const,
}

/** Commands that the user marked. */
export const useCommandOverrides = () =>
  useQuery({ queryKey: scoringKeys.commandOverrides, queryFn: ({ signal }) => api.listCommandOverrides({ signal }) })

export const useRescore = () => useJobCall(() => api.startRescore({ body: {} }), "Couldn't start rescoring")

export const scoringMessages = ({ refetch, refetchSoon }: Cache) =>
  ({
    ...onTracesChanged(refetchSoon(scoringKeys.previews)),
    'settings:changed': () => refetch(scoringKeys.previews),
  }) satisfies Partial<Handlers>
