import fs from 'node:fs'
import path from 'node:path'
import type { RestoredState } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { isDiskFull } from '#server/disk.ts'
import { isWithin } from '#server/within.ts'
import type { FileChange, SessionChanges } from './changes.job.ts'
import { extractInto } from '#server/foreign/index.ts'

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
  try {
    const { tar, done } = await git.archive(project, commit, { scratch, signal })
    await extractInto(folder, tar)
    await done
  } catch (error) {
    signal.throwIfAborted()
    if (isDiskFull(error)) throw error
    throw refused(`The files of the commit ${commit.slice(0, 10)} in ${project} could not be read: ${(error as Error).message}.`)
  }
  const missing: RestoredState['missing'] = []
  let applied = 0
  for (const change of changes) {
    const name = path.relative(project, change.file)
    if (name.startsWith('..') || path.isAbsolute(name)) continue // a file of another project
    const reason = apply(folder, name, change)
    if (reason === null) applied += 1
    else missing.push({ file: name, reason })
  }
  return { state: { commit, isInferred: sessionCommit === null, applied, missing, mayMiss: hasCommands }, project }
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
  const project = fs.existsSync(cwd) ? await git.top(cwd) : null
  if (project !== null) return project
  throw refused(`${cwd} is not a git repository on this machine, so its state at the time of the session cannot be restored.`, 'Run `bashgym test` with the folder of the project instead.') // prettier-ignore
}

async function commitBefore(project: string, { branch, startedAt }: Pick<SessionChanges, 'branch' | 'startedAt'>, git: Git) {
  const commit = startedAt && (await git.commitBefore(project, branch, startedAt))
  if (commit) return commit
  throw refused(`${project} has no commit from before the session, so its state cannot be restored.`)
}

/** Applies a change. Returns why it could not be applied, or null. */
function apply(folder: string, name: string, change: FileChange): string | null {
  const place = path.join(folder, name)
  try {
    if (change.kind === 'unknown') return 'the session does not record the content of this change'
    if (change.kind === 'write') {
      fs.mkdirSync(path.dirname(place), { recursive: true })
      requireInside(folder, path.dirname(place))
      if (fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) requireInside(folder, place)
      fs.writeFileSync(place, change.content)
      return null
    }
    requireInside(folder, place)
    let text = fs.readFileSync(place, 'utf8')
    for (const { from, to, all } of change.parts) {
      const times = from === '' ? 0 : text.split(from).length - 1
      if (times === 0 || (times > 1 && !all)) return 'the file differs from the one that the session changed'
      text = text.split(from).join(to)
    }
    fs.writeFileSync(place, text)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'the file does not exist' : (error as Error).message
  }
}

function requireInside(folder: string, place: string): void {
  if (!isWithin(fs.realpathSync(folder), fs.realpathSync(place))) throw new Error('a link leads out of the project')
}
