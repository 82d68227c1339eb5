/** Where pages were before; the first that fits. One that ends with a slash has only pages below it. */
const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['/arena/tasks/', '/agents/tasks/'],
  ['/arena/tasks', '/agents'],
  ['/arena/batches', '/agents/batches'],
  ['/arena/checks', '/agents/checks'],
  ['/arena/shell-tasks/new/', '/shell-tasks/new/'],
  ['/arena/shell-tasks/from/', '/shell-tasks/from/'],
  ['/arena/shell-tasks/', '/shell-tasks/tasks/'],
  ['/arena/shell-tasks', '/shell-tasks'],
  ['/arena/rollouts', '/shell-tasks/rollouts'],
  ['/arena/environments', '/shell-tasks/environments'],
  ['/arena', '/sandboxes'],
  ['/settings/arena', '/settings/sandboxes'],
]

/** The address of today for a path that a bookmark, a note or another program may still have; null if it is none of those. */
export function movedTo(path: string): string | null {
  const found = MOVED.find(([from]) => path === from || path.startsWith(from.endsWith('/') ? from : `${from}/`))
  if (!found) return null
  const [from, to] = found
  return to + path.slice(from.length)
}
