import type { Trace } from '#contracts/entities/trace.ts'

/** Replaces the client's system prompt, which is long and belongs to its vendor. */
export const SHORT_SYSTEM =
  'You are a coding agent. You work in the project of the user with the tools given: look before you change, make small changes, run what proves them, and say plainly what you did.'

/** Adds the working directory and branch to a system prompt; without them, a model would learn to make up paths. */
export function withEnvironment(prompt: string, { cwd, gitBranch }: Pick<Trace, 'cwd' | 'gitBranch'>): string {
  const lines = [...(cwd === null ? [] : [`Working directory: ${cwd}`]), ...(gitBranch === null ? [] : [`Git branch: ${gitBranch}`])]
  return [prompt, lines.join('\n')].filter(Boolean).join('\n\n')
}
