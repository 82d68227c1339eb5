import fs from 'node:fs'
import path from 'node:path'
import type { ExamRequest } from '#contracts/entities/exam.ts'
import type { Git } from '#server/adapters/git/index.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { writeFiles } from '../../agents/index.ts'
import type { Checks, SessionWork } from '../../checks/index.ts'
import type { ExamRow } from '../exam/store.ts'
import type { SessionRows } from './candidates.ts'
import { isProven, type NotProven, prove, type Proven, type ToProve } from './prove.ts'
import { type ChangedFile, changedFiles, type States, storeChanged, storeFolder, type Undoing, undoings } from './states.ts'
import { statesOf, taskIdOf, type TaskRow } from './store.ts'
import { writeTaskFolder } from './task-folder.ts'

export interface FinderDeps {
  checks: Pick<Checks, 'runOfChange' | 'withStates'>
  git: Git
  traces: Pick<SessionRows, 'trace'>
  folderOf: (examId: string) => string
}

const UNDONE_NOTE = 'A part of this work is missing in the files, or was lost. Find what is missing, and do it.'

/** Folders of a state and of the same state with the changed files emptied, and whether they are a task. */
const proveState = async (
  { checks, git }: Pick<FinderDeps, 'checks' | 'git'>,
  states: States,
  {
    name,
    start,
    files,
    place,
    ...rest
  }: Omit<ToProve, 'before' | 'emptied'> & {
    name: string
    start: string
    files: readonly ChangedFile[]
    place: (name: string) => string
  },
  options: { request: ExamRequest; isGoldKnown: boolean; context: JobContext },
): Promise<Proven | NotProven> => {
  const { request, isGoldKnown, context } = options
  const emptied = new Map(
    files.flatMap(({ after }) => (after === null ? [] : [[after.name, { ...after, content: Buffer.alloc(0) }] as const])),
  )
  const trivial = await storeChanged(states, `${name}-emptied`, start, emptied)
  const folders = { before: place(`${name}-start`), emptied: place(`${name}-emptied`) }
  await writeFiles(folders.before, git.files.of(states.gitDir, start, states.signal))
  await writeFiles(folders.emptied, git.files.of(states.gitDir, trivial, states.signal))
  return prove({ ...rest, ...folders }, { checks, repeats: request.repeats, timeoutSec: request.checkTimeoutSec, isGoldKnown, context })
}
const keep = async (
  { folderOf }: Pick<FinderDeps, 'folderOf'>,
  states: States,
  exam: ExamRow,
  task: Omit<TaskRow, 'no'> & { mustStayNames: string[] },
  checkFiles: ChangedFile[],
) => {
  await writeTaskFolder(states, path.join(folderOf(exam.id), task.id), { ...task, checkFiles, timeoutSec: exam.request.checkTimeoutSec })
}

/** The task of a session, or why it is none. */
export const tryWork = async (
  deps: FinderDeps,
  exam: ExamRow,
  traceId: string,
  session: SessionWork,
  context: JobContext,
): Promise<Omit<TaskRow, 'no'> | NotProven> => {
  const { git, folderOf, traces } = deps
  const { request } = exam
  const { signal } = context
  const { project, after, packages, missing, commit, place } = session
  const none = (reason: string, detail: string | null = null): NotProven => ({ reason, detail })
  const prompts = session.prompts.map((text) => text.trim()).filter((text) => text !== '')
  if (prompts.length === 0) return none('nothing was asked')
  if (missing.length > 0) return none('its changes cannot be restored', `${missing[0]!.file}: ${missing[0]!.reason}`)
  const before = await session.before()
  const states: States = { git, gitDir: path.join(folderOf(exam.id), statesOf(traceId)), signal }
  const id = taskIdOf(traceId)
  const start = await storeFolder(states, `${id}-start`, before)
  const reference = await storeFolder(states, `${id}-after`, after)
  const changed = await changedFiles(states, start, reference)
  const files = changed.filter(({ kind }) => kind === null)
  if (changed.length === 0) return none('no file differs after it')
  if (files.length === 0) return none('it changed nothing but tests and configuration')
  const proven = await proveState(
    deps,
    states,
    { name: id, start, files, place, reference: after, project, packages },
    { request, isGoldKnown: false, context },
  )
  if (!isProven(proven)) return proven
  const checkFiles = changed.filter(({ kind }) => kind !== null)
  const { repo } = traces.trace(traceId)
  const { mustStay, ...facts } = proven
  const task = {
    ...facts,
    id,
    traceId,
    repo,
    prompt: prompts.join('\n\n'),
    isEdited: false,
    files: files.map(({ name }) => name),
    hiddenFiles: checkFiles.map(({ name }) => name),
    mustStay: mustStay.length,
    undone: null,
    project,
    start,
    reference,
    packages: packages.map(({ to }) => to),
    commit,
  }
  await keep(deps, states, exam, { ...task, mustStayNames: mustStay }, checkFiles)
  return task
}

/** Further tasks from a proven one: each without parts of its change. Only what fails a test counts. */
export const undoParts = async (deps: FinderDeps, exam: ExamRow, whole: TaskRow, context: JobContext): Promise<Omit<TaskRow, 'no'>[]> => {
  const { git, folderOf } = deps
  const { request } = exam
  const { signal } = context
  const states: States = { git, gitDir: path.join(folderOf(exam.id), statesOf(whole.traceId)), signal }
  const root = path.join(folderOf(exam.id), 'work')
  const place = (name: string) => {
    const folder = path.join(root, name)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }
  await fs.promises.rm(root, { recursive: true, force: true }) // of a server that was killed
  try {
    const { start, reference, project, packages: names } = whole
    const changed = await changedFiles(states, start, reference)
    const checkFiles = changed.filter(({ kind }) => kind === 'test')
    const folder = place('reference')
    await writeFiles(folder, git.files.of(states.gitDir, reference, signal))
    const packages = names.map((name) => ({ from: path.join(project, name), to: name }))
    const tasks: Omit<TaskRow, 'no'>[] = []
    for (const [index, part] of (await undoings(states, start, reference, changed)).entries()) {
      const id = `${whole.id}-${index + 1}`
      context.progress({ phase: 'undoing parts', done: index, total: null, unit: 'parts', message: part.label })
      const partStart = await storeChanged(states, `${id}-start`, reference, withoutPart(part, checkFiles))
      const files = changed.filter(({ name }) => part.files.has(name))
      const proven = await proveState(
        deps,
        states,
        { name: id, start: partStart, files, place, reference: folder, project, packages },
        { request, isGoldKnown: true, context },
      )
      if (!isProven(proven)) continue
      const { mustStay, ...facts } = proven
      const task = {
        ...whole,
        ...facts,
        id,
        prompt: `${whole.prompt}\n\n${UNDONE_NOTE}`,
        files: [...part.files.keys()],
        hiddenFiles: checkFiles.map(({ name }) => name),
        mustStay: mustStay.length,
        undone: part.label,
        start: partStart,
      }
      await keep(deps, states, exam, { ...task, mustStayNames: mustStay }, checkFiles)
      tasks.push(task)
    }
    return tasks
  } finally {
    await fs.promises.rm(root, { recursive: true, force: true })
  }
}

/** The state after without parts of it, and without the tests that show what is missing. */
const withoutPart = ({ files }: Undoing, tests: readonly ChangedFile[]) =>
  new Map([...tests.map(({ name, before }) => [name, before] as const), ...files])
