import fs from 'node:fs'
import path from 'node:path'
import type { RestoredState } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { isDiskFull } from '#server/disk.ts'
import { isWithin } from '#server/within.ts'
import type { FileChange, SessionChanges } from './changes.job.ts'
import { extractInto } from './extract.ts'

const refused = (message: string, hint?: string) => new AppError('state_not_restorable', { message, ...(hint !== undefined && { hint }) })

/**
 * Writes a project as a session left it into the empty `folder`: the last commit of the session, or the newest one before it,
 * and on top the changes that the client's tools made. Nothing of the repository is changed. Throws `state_not_restorable`.
 */
export async function restore(
  { cwd, branch, startedAt, commit: made, changes, hasCommands }: SessionChanges,
  { git, folder, scratch, signal }: { git: Git; folder: string; scratch: string; signal: AbortSignal },
): Promise<{ state: RestoredState; project: string }> {
  const project = await projectOf(cwd, git)
  const commit = made === null ? await commitBefore(project, { branch, startedAt }, git) : await git.commit(project, made)
  if (!commit) throw refused(`The commit ${made} of the session is not in ${project} any more.`)
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
    if (name.startsWith('..') || path.isAbsolute(name)) continue // of another project
    const reason = apply(folder, name, change)
    if (reason === null) applied += 1
    else missing.push({ file: name, reason })
  }
  return { state: { commit, isInferred: made === null, applied, missing, mayMiss: hasCommands }, project }
}

/** The commit that a session began on, as far as that is known: the newest one before it. Throws `state_not_restorable`. */
export async function beginningOf(
  { cwd, branch, startedAt }: Pick<SessionChanges, 'cwd' | 'branch' | 'startedAt'>,
  git: Git,
): Promise<{ cwd: string; commit: string }> {
  const project = await projectOf(cwd, git)
  return { cwd: cwd!, commit: await commitBefore(project, { branch, startedAt }, git) }
}

async function projectOf(cwd: string | null, git: Git): Promise<string> {
  if (cwd === null) throw refused('The session does not say in which folder it worked.')
  const project = fs.existsSync(cwd) ? await git.top(cwd) : null
  if (project !== null) return project
  throw refused(`${cwd} is no git repository on this machine, so its state at the time of the session cannot be restored.`, 'Run `bashgym test` with the folder of the project instead.') // prettier-ignore
}

async function commitBefore(project: string, { branch, startedAt }: Pick<SessionChanges, 'branch' | 'startedAt'>, git: Git) {
  const commit = startedAt && (await git.commitBefore(project, branch, startedAt))
  if (commit) return commit
  throw refused(`${project} has no commit from before the session, so its state cannot be restored.`)
}

/** Why the change could not be made; null: it was. */
function apply(folder: string, name: string, change: FileChange): string | null {
  const place = path.join(folder, name)
  try {
    if (change.kind === 'unknown') return 'the session does not record what this change did'
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
      if (times === 0 || (times > 1 && !all)) return 'the file is not what the session changed'
      text = text.split(from).join(to)
    }
    fs.writeFileSync(place, text)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'the file is not there' : (error as Error).message
  }
}

function requireInside(folder: string, place: string): void {
  if (!isWithin(fs.realpathSync(folder), fs.realpathSync(place))) throw new Error('a link leads out of the project')
}
