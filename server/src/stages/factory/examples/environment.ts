import type { Trace } from '#contracts/entities/trace.ts'

/** A system prompt with where the work was done: without it, a model learns to make up paths. */
export function withEnvironment(prompt: string, { cwd, gitBranch }: Pick<Trace, 'cwd' | 'gitBranch'>): string {
  const lines = [...(cwd === null ? [] : [`Working directory: ${cwd}`]), ...(gitBranch === null ? [] : [`Git branch: ${gitBranch}`])]
  return [prompt, lines.join('\n')].filter(Boolean).join('\n\n')
}
