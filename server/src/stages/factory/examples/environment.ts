import type { Trace } from '#contracts/entities/trace.ts'

/** Adds the working directory and branch to a system prompt; without them, a model would learn to make up paths. */
export function withEnvironment(prompt: string, { cwd, gitBranch }: Pick<Trace, 'cwd' | 'gitBranch'>): string {
  const lines = [...(cwd === null ? [] : [`Working directory: ${cwd}`]), ...(gitBranch === null ? [] : [`Git branch: ${gitBranch}`])]
  return [prompt, lines.join('\n')].filter(Boolean).join('\n\n')
}
