import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Exam, ExamPlan, ExamRequest } from '#contracts/entities/exam.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import type { Git } from '#server/adapters/git/index.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { createInJobs } from '#server/runs/in-jobs.ts'
import { placeBelow } from '#server/within.ts'
import { writeFiles } from '../../agents/index.ts'
import type { Checks, SessionWork } from '../../checks/index.ts'
import type { createRecordedWork } from '../../factory/index.ts'
import { GATE, smallestEffect } from '../exam/decide.ts'
import { counted } from '../exam/make.ts'
import type { ExamRow, ExamSession, ExamStore } from '../exam/store.ts'
import { type Candidate, chooseCandidates, type SessionRows } from './candidates.ts'
import { isProven, type NotProven, prove, type Proven, type ToProve } from './prove.ts'
import { type ChangedFile, changedFiles, type States, storeChanged, storeFolder, type Undoing, undoings } from './states.ts'
import { type SolvedStore, statesOf, taskIdOf, type TaskRow } from './store.ts'
import { writeTaskFolder } from './task-folder.ts'

export interface SolvedMakeDeps {
  core: Pick<Core, 'tx' | 'events' | 'now' | 'jobs' | 'paths'>
  store: ExamStore
  solved: SolvedStore
  work: ReturnType<typeof createRecordedWork>
  traces: SessionRows
  checks: Pick<Checks, 'withStates' | 'runOfChange'>
  git: Git
  inDatasets: () => ReadonlySet<string>
  trainedOn: (modelId: string) => ReadonlySet<string>
  newId: () => string
  view: (id: string) => Exam
}

const KIND = 'exam'
const INTERRUPTED = 'Bash Gym stopped while this exam was made. Resume it: what is proven is kept.'
/** Below this, hunks are undone for further tasks. */
const FEW_TASKS = 20
/** Errors that say something about this machine, not about a session. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(['engine_failed', 'backend_unavailable', 'isolation_unavailable', 'sandbox_capacity', 'disk_full']) // prettier-ignore
const UNDONE_NOTE = 'A part of this work is missing in the files, or was lost. Find what is missing, and do it.'

/** Makes exams of solved tasks. What became of each session is stored at once, so an interrupted exam is gone on with. */
export function createSolvedMaker({ core, store, solved, work, traces, checks, git, newId, view, ...deps }: SolvedMakeDeps) {
  const { tx, events, now, paths } = core
  const folderOf = (examId: string) => placeBelow(paths.exams, examId)
  const choose = async (request: ExamRequest): Promise<Candidate[]> =>
    chooseCandidates(request, {
      traces,
      git,
      firstOf: work.firstOf,
      seen: request.unseenBy === undefined ? new Set() : await work.withFamilies(deps.trainedOn(request.unseenBy)),
    })
  const hashOf = (examNo: number): string =>
    hash('sha256', solved.tasks(examNo).map(({ id, start, reference, prompt }) => JSON.stringify([id, start, reference, prompt])).join('\n')) // prettier-ignore

  const textsOf = async (
    traceId: string,
    { contextTokens, seed }: ExamRequest,
    prompt: string,
    signal: AbortSignal,
  ): Promise<ExamSession> => {
    const found = await work.calls({ traceId, most: 8, contextTokens, seed }, signal)
    return { traceId, repo: found?.repo ?? null, texts: [...(found?.texts ?? []), prompt] }
  }

  /** Folders of a state and of the same state with the changed files emptied, and whether they are a task. */
  const proveState = async (
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
    states: States,
    exam: ExamRow,
    task: Omit<TaskRow, 'no'> & { mustStayNames: string[] },
    checkFiles: ChangedFile[],
  ) => {
    await writeTaskFolder(states, path.join(folderOf(exam.id), task.id), { ...task, checkFiles, timeoutSec: exam.request.checkTimeoutSec })
  }

  /** The task of a session, or why it is none. */
  const tryWork = async (
    exam: ExamRow,
    traceId: string,
    session: SessionWork,
    context: JobContext,
  ): Promise<Omit<TaskRow, 'no'> | NotProven> => {
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
    await keep(states, exam, { ...task, mustStayNames: mustStay }, checkFiles)
    return task
  }

  /** Further tasks from a proven one: each without a part of its change. Only parts whose lack fails a test count. */
  const undoParts = async (exam: ExamRow, whole: TaskRow, context: JobContext): Promise<Omit<TaskRow, 'no'>[]> => {
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
        const files = changed.filter(({ name }) => name === part.file)
        const proven = await proveState(states, { name: id, start: partStart, files, place, reference: folder, project, packages }, { request, isGoldKnown: true, context }) // prettier-ignore
        if (!isProven(proven)) continue
        const { mustStay, ...facts } = proven
        const task = {
          ...whole,
          ...facts,
          id,
          prompt: `${whole.prompt}\n\n${UNDONE_NOTE}`,
          files: [part.file],
          hiddenFiles: checkFiles.map(({ name }) => name),
          mustStay: mustStay.length,
          undone: part.label,
          start: partStart,
        }
        await keep(states, exam, { ...task, mustStayNames: mustStay }, checkFiles)
        tasks.push(task)
      }
      return tasks
    } finally {
      await fs.promises.rm(root, { recursive: true, force: true })
    }
  }

  const tryCandidate = async (exam: ExamRow, traceId: string, context: JobContext): Promise<void> => {
    const end = (outcome: Candidate['outcome'], reason: string | null, detail: string | null) =>
      solved.setCandidate(exam.no, { traceId, outcome, reason, detail })
    const leaveOut = async (reason: string, detail: string | null) => {
      await fs.promises.rm(path.join(folderOf(exam.id), statesOf(traceId)), { recursive: true, force: true })
      tx(() => end('left_out', reason, detail))
    }
    let found: Omit<TaskRow, 'no'> | NotProven | null
    try {
      found = await checks.withStates(traceId, context, (session) => tryWork(exam, traceId, session, context))
    } catch (error) {
      context.signal.throwIfAborted()
      if (!(error instanceof AppError) || OF_THE_MACHINE.has(error.code)) throw error
      const reason = error.code === 'state_not_restorable' ? 'its state before or after cannot be restored' : 'it cannot be tried'
      return leaveOut(reason, error.message)
    }
    if (found === null) return leaveOut('it was deleted meanwhile', null)
    if (!('id' in found)) return leaveOut(found.reason, found.detail)
    const task = found
    const session = await textsOf(traceId, exam.request, task.prompt, context.signal)
    tx(() => {
      if (store.isForgotten(traceId)) return
      store.addSession(exam.no, session)
      solved.addTask(exam.no, task)
      end('proven', null, null)
    })
  }
  const perform = async (id: string, context: JobContext): Promise<void> => {
    const exam = store.require(id)
    const { signal, progress } = context
    fs.mkdirSync(folderOf(id), { recursive: true, mode: 0o700 })
    const total = solved.waiting(exam.no).length
    for (const [done, traceId] of solved.waiting(exam.no).entries()) {
      signal.throwIfAborted()
      const inSession = { ...context, progress: () => progress({ phase: 'proving', done, total, unit: 'sessions' }) }
      inSession.progress()
      await tryCandidate(exam, traceId, inSession)
    }
    for (const traceId of exam.request.undo === 'never' ? [] : solved.notUndone(exam.no)) {
      signal.throwIfAborted()
      const all = solved.tasks(exam.no)
      if (exam.request.undo === 'few' && all.length >= FEW_TASKS) break
      const whole = all.find((task) => task.traceId === traceId && task.undone === null)
      const parts = whole ? await undoParts(exam, whole, context) : []
      tx(() => {
        for (const part of parts) solved.addTask(exam.no, part)
        solved.setUndone(exam.no, traceId)
      })
    }
  }
  const jobs = createInJobs<'ready'>(core, {
    kind: KIND,
    end: (id, { state, message }) => {
      const exam = store.require(id)
      store.changeExam(exam, { state, detail: message, hash: hashOf(exam.no) })
      events.append('exam:added', { id })
    },
    interruptAll: (message) => store.interruptExams(message),
    interrupted: INTERRUPTED,
  })
  const begin = (id: string, storeRunning: () => void): Job =>
    jobs.begin(
      id,
      async (context) => {
        await perform(id, context)
        return { state: 'ready', message: null }
      },
      { store: storeRunning, result: () => view(id), single: true, subject: id },
    )

  return {
    folderOf,
    async plan(request: ExamRequest): Promise<ExamPlan> {
      const found = await choose(request)
      const waiting = found.filter(({ outcome }) => outcome === 'waiting')
      const used = deps.inDatasets()
      return {
        matching: found.length,
        sessions: waiting.length,
        leftOut: counted(found.flatMap(({ reason }) => reason ?? [])),
        inDatasets: waiting.filter(({ traceId }) => used.has(traceId)).length,
        smallest: smallestEffect(waiting.length),
        minSessions: GATE.sessions,
      }
    },
    async make(request: ExamRequest): Promise<Job> {
      const candidates = await choose(request)
      if (candidates.every(({ outcome }) => outcome !== 'waiting'))
        throw new AppError('exam_empty', {
          message: 'No session can be done again.',
          hint: 'A task needs a session whose last check passed, in a git repository that is still on this machine.',
          details: { leftOut: counted(candidates.flatMap(({ reason }) => reason ?? [])) },
        })
      const id = newId()
      const name = request.name ?? `Tasks of ${new Date(now()).toISOString().slice(0, 10)}`
      return begin(id, () => {
        const exam = { id, kind: request.kind, state: 'making' as const, name, request, leftOut: [], hash: '' }
        solved.addCandidates(store.add(exam, { sessions: [], items: [] }), candidates)
        events.append('exam:added', { id })
      })
    },
    resume(exam: ExamRow): Job {
      if (exam.kind !== 'solved_tasks' || exam.state === 'making' || exam.state === 'ready') throw new AppError('exam_made')
      return begin(exam.id, () => {
        store.changeExam(exam, { state: 'making', detail: null })
        events.append('exam:added', { id: exam.id })
      })
    },
    /** Throws `exam_taken` or `not_found`. */
    removeTask(exam: ExamRow, id: string): void {
      if (store.sizes(exam.no).runs > 0) throw new AppError('exam_taken')
      tx(() => {
        solved.removeTask(exam.no, id)
        store.changeExam(exam, { hash: hashOf(exam.no) })
        events.append('exam:added', { id: exam.id })
      })
    },
    recover: jobs.recover,
    /** Removes the files of a session that is removed. */
    forgetFiles(traceId: string): void {
      for (const examId of solved.examsOf(traceId)) {
        const folder = folderOf(examId)
        const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
        for (const name of names.filter((one) => one.startsWith(taskIdOf(traceId))))
          fs.rmSync(path.join(folder, name), { recursive: true, force: true })
      }
    },
  }
}

/** The state after without a part of it, and without the tests that show what is missing. */
const withoutPart = ({ file, content }: Undoing, tests: readonly ChangedFile[]) =>
  new Map([...tests.map(({ name, before }) => [name, before] as const), [file, content] as const])

export type SolvedMaker = ReturnType<typeof createSolvedMaker>
