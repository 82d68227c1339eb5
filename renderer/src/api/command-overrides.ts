import { useQuery } from '@tanstack/react-query'
import type { CommandVerdict } from '#contracts/entities/command-override.ts'
import { api } from './client.ts'
import { keys } from './keys.ts'

export const VERDICT_WORDS: Record<CommandVerdict, string> = { test: 'a test run', not_a_run: 'not a test run' }

/** What the user said of commands. */
export const useCommandOverrides = () =>
  useQuery({ queryKey: keys.commandOverrides, queryFn: ({ signal }) => api.listCommandOverrides({ signal }) })
