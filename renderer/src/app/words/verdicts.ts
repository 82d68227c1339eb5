import type { CommandVerdict } from '#contracts/entities/command-override.ts'

/** The user's mark on a command. */
export const VERDICT_WORDS: Record<CommandVerdict, string> = { test: 'a test command', not_a_run: 'not a test command' }
