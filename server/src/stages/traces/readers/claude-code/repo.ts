/** Where Claude Code creates worktrees: `<repo>/.claude/worktrees/<name>`. */
const WORKTREE = /^(.*?)[\\/]\.claude[\\/]worktrees[\\/][^\\/]+/

/** The project folder of a working directory, as far as its path shows. */
export function projectOf(cwd: string): string {
  return WORKTREE.exec(cwd)?.[1] ?? cwd
}

/**
 * Name of the repository with the most calls (ties: the first). From paths only, because the project may be deleted from
 * disk: a worktree of Claude Code counts for its repository, and a directory inside another working directory of the session
 * counts for that one. A session that only ran in a subdirectory is named after it, because
 * transcripts do not record the root.
 */
export function repoOf(cwds: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const cwd of cwds) if (cwd !== null) counts.set(projectOf(cwd), (counts.get(projectOf(cwd)) ?? 0) + 1)
  const projects = [...counts.keys()]
  const sums = new Map<string, number>()
  for (const [project, count] of counts) {
    const root = projects.filter((other) => other === project || isWithin(project, other)).reduce((a, b) => (b.length < a.length ? b : a))
    sums.set(root, (sums.get(root) ?? 0) + count)
  }
  let best: string | null = null
  for (const [root, count] of sums) if (best === null || count > sums.get(best)!) best = root
  return best === null ? null : nameOf(best)
}

/** The name of a project's folder; null for the root of a disk. */
export function nameOf(project: string): string | null {
  return project.split(/[\\/]/).findLast((part) => part !== '') ?? null
}

const isWithin = (inner: string, outer: string): boolean =>
  outer.length > 1 && inner.length > outer.length && inner.startsWith(outer) && /[\\/]/.test(inner[outer.length]!)
