import { fileURLToPath } from 'node:url'
import type { BatchPlan, BatchTask } from '#contracts/entities/batch.ts'
import type { Git } from '#server/adapters/git/index.ts'

/** The folders of this machine that tasks are copied from, with the tasks that name them. */
export async function foldersOf(tasks: readonly BatchTask[], git: Pick<Git, 'copiedFolder'>): Promise<BatchPlan['folders']> {
  const keys = new Map<string, string[]>()
  const folders = new Map<string, string>()
  for (const task of tasks) {
    const named = placeOf(task)
    if (named === null) continue
    const folder = folders.get(named) ?? (await git.copiedFolder(named))
    folders.set(named, folder)
    keys.set(folder, [...(keys.get(folder) ?? []), task.key])
  }
  return [...keys].map(([folder, some]) => ({ folder, keys: some })).toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** Null if nothing of this machine is copied. */
function placeOf({ directory, repositoryUrl }: BatchTask): string | null {
  if (directory !== undefined) return directory
  if (repositoryUrl === undefined) return null
  if (repositoryUrl.startsWith('/')) return repositoryUrl
  const url = URL.parse(repositoryUrl)
  return url?.protocol === 'file:' && url.host === '' ? fileURLToPath(url) : null
}
