import type { CommandVerdict } from '#contracts/entities/command-override.ts'

/** How the user marked a command. */
export const VERDICT_WORDS: Record<CommandVerdict, string> = { test: 'a test run', not_a_run: 'not a test run' }
