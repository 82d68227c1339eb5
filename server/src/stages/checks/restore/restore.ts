import fs from 'node:fs'
import path from 'node:path'
import type { RestoredState } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { isDiskFull } from '#server/disk.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import { applyHunks } from './apply-hunks.ts'
import type { FileChange, SessionChanges } from './changes.job.ts'
import { extractInto } from '#server/foreign/index.ts'
import { realPath } from '#server/real-path.ts'

const refused = (message: string, hint?: string) => new AppError('state_not_restorable', { message, ...(hint !== undefined && { hint }) })

/**
 * Restores a project as a session left it into the empty `folder`: the last commit of the session, or the newest commit before
 * it, plus the changes by the client's tools. The repository is not changed. Throws `state_not_restorable`.
 */
export async function restore(
  { cwd, branch, startedAt, commit: sessionCommit, changes, hasCommands }: SessionChanges,
  { git, folder, scratch, signal }: { git: Git; folder: string; scratch: string; signal: AbortSignal },
): Promise<{ state: RestoredState; project: string }> {
  const project = await projectOf(cwd, git)
  const commit = sessionCommit === null ? await commitBefore(project, { branch, startedAt }, git) : await git.commit(project, sessionCommit)
  if (!commit) throw refused(`The commit ${sessionCommit} of the session is no longer in ${project}.`)
  await unpackCommit(commit, { project, git, folder, scratch, signal })
  const missing: RestoredState['missing'] = []
  let applied = 0
  await inForeign(folder, async (restored) => {
    for (const change of changes) {
      const name = path.relative(project, change.file)
      if (name.startsWith('..') || path.isAbsolute(name)) continue // a file of another project
      const reason = await apply(restored, name, change)
      if (reason === null) applied += 1
      else missing.push({ file: name, reason, kind: 'change' })
    }
  })
  return { state: { commit, isInferred: sessionCommit === null, applied, missing, mayMiss: hasCommands }, project }
}

interface Unpacking {
  project: string
  git: Git
  folder: string
  scratch: string
  signal: AbortSignal
}

/** Restores the state from before a session into the empty `folder`: the newest commit before it. Throws `state_not_restorable`. */
export async function restoreBefore({ branch, startedAt }: SessionChanges, places: Unpacking): Promise<void> {
  await unpackCommit(await commitBefore(places.project, { branch, startedAt }, places.git), places)
}

async function unpackCommit(commit: string, { project, git, folder, scratch, signal }: Unpacking): Promise<void> {
  try {
    const { tar, done } = await git.archive(project, commit, { scratch, signal })
    await extractInto(folder, tar)
    await done
  } catch (error) {
    signal.throwIfAborted()
    if (isDiskFull(error)) throw error
    throw refused(`The files of the commit ${commit.slice(0, 10)} in ${project} could not be read: ${(error as Error).message}.`)
  }
}

/** The commit that a session probably started from: the newest one before it. Throws `state_not_restorable`. */
export async function beginningOf(
  { cwd, branch, startedAt }: Pick<SessionChanges, 'cwd' | 'branch' | 'startedAt'>,
  git: Git,
): Promise<{ cwd: string; commit: string }> {
  const project = await projectOf(cwd, git)
  return { cwd: cwd!, commit: await commitBefore(project, { branch, startedAt }, git) }
}

async function projectOf(cwd: string | null, git: Git): Promise<string> {
  if (cwd === null) throw refused('The session does not record the folder it worked in.')
  const project = (await isThere(cwd)) ? await git.top(realPath(cwd)) : null
  if (project !== null) return project
  throw refused(`${cwd} is not a git repository on this machine, so its state at the time of the session cannot be restored.`, 'Run `bashgym test` with the folder of the project instead.') // prettier-ignore
}

const isThere = (place: string): Promise<boolean> =>
  fs.promises.stat(place).then(
    () => true,
    () => false,
  )

async function commitBefore(project: string, { branch, startedAt }: Pick<SessionChanges, 'branch' | 'startedAt'>, git: Git) {
  const commit = startedAt && (await git.commitBefore(project, branch, startedAt))
  if (commit) return commit
  throw refused(`${project} has no commit from before the session, so its state cannot be restored.`)
}

const MAX_EDITED_BYTES = 64 * 1024 * 1024

/** Applies a change. Returns why it could not be applied, or null. */
async function apply(folder: ForeignFolder, name: string, change: FileChange): Promise<string | null> {
  try {
    if (change.kind === 'unknown') return 'the session does not record the content of this change'
    const found = await folder.find(name)
    if (found !== null && found.kind !== 'file') return `it is a ${found.kind === 'other' ? 'special file' : found.kind}`
    const file = { mode: found === null ? 0o644 : found.mode & 0o777, limitBytes: MAX_EDITED_BYTES }
    if (change.kind === 'write') {
      await folder.writeFile(name, change.content, file)
      return null
    }
    if (change.kind === 'remove') {
      if (found !== null) await folder.remove(name)
      return null
    }
    if (change.kind === 'hunks') {
      const changed = applyHunks(found === null ? '' : await folder.text(name, MAX_EDITED_BYTES), change.hunks)
      if (changed === null) return 'the file differs from the one that the session changed'
      await folder.writeFile(name, changed, file)
      return null
    }
    let text = await folder.text(name, MAX_EDITED_BYTES)
    for (const { from, to, all } of change.parts) {
      const times = from === '' ? 0 : text.split(from).length - 1
      if (times === 0 || (times > 1 && !all)) return 'the file differs from the one that the session changed'
      text = text.split(from).join(to)
    }
    await folder.writeFile(name, text, file)
    return null
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    return error.code === 'missing' ? 'the file does not exist' : `it ${error.reason}`
  }
}
