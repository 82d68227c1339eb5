import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { planShellGeneration } from '#contracts/routes/shell-generations.ts'
import { api } from './client.ts'

/** The request as typed; absent fields take their defaults. */
export type GenerationDraft = z.input<typeof planShellGeneration.body>

export const generationKeys = {
  plan: (request: object | null) => ['shell-generation-plan', request] as const,
  list: (asOf: string) => ['shell-generations', asOf] as const,
  diversity: (split: string, asOf: string) => ['shell-diversity', split, asOf] as const,
}

/** `asOf`: the newest job and its state, which change when there is something new. */
export const useShellGenerations = (asOf: string) =>
  useQuery({
    queryKey: generationKeys.list(asOf),
    queryFn: ({ signal }) => api.listShellGenerations({ signal }),
    placeholderData: keepPreviousData,
  })

export const useShellDiversity = (split: string, asOf: string, enabled: boolean) =>
  useQuery({
    queryKey: generationKeys.diversity(split, asOf),
    queryFn: ({ signal }) => api.getShellDiversity({ query: { split }, signal }),
    enabled,
  })
