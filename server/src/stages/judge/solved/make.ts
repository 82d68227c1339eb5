import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Exam, ExamPlan, ExamRequest } from '#contracts/entities/exam.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import type { Git } from '#server/adapters/git/index.ts'
import type { Core } from '#server/core.ts'
import { createInJobs } from '#server/runs/in-jobs.ts'
import { placeBelow } from '#server/within.ts'
import type { Checks } from '../../checks/index.ts'
import type { createRecordedWork } from '../../factory/index.ts'
import { GATE, smallestEffect } from '../exam/decide.ts'
import { counted } from '../exam/make.ts'
import type { ExamRow, ExamStore } from '../exam/store.ts'
import { type Candidate, chooseCandidates, type SessionRows } from './candidates.ts'
import { createMaking } from './making.ts'
import { type SolvedStore, taskIdOf, type TaskRow } from './store.ts'
import { writeInstruction } from './task-folder.ts'

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
/** Makes exams of solved tasks. What became of each session is stored at once, so an interrupted exam is gone on with. */
export function createSolvedMaker({ core, store, solved, work, traces, checks, git, newId, view, ...deps }: SolvedMakeDeps) {
  const { tx, events, now, paths } = core
  const folderOf = (examId: string) => placeBelow(paths.exams, examId)
  const perform = createMaking({ tx, store, solved, work, traces, checks, git, folderOf })
  const choose = async (request: ExamRequest): Promise<Candidate[]> =>
    chooseCandidates(request, {
      traces,
      git,
      firstOf: work.firstOf,
      seen: request.unseenBy === undefined ? new Set() : await work.withFamilies(deps.trainedOn(request.unseenBy)),
    })
  const hashOf = (examNo: number): string => {
    const lines = solved.tasks(examNo).map(({ id, start, reference, prompt }) => JSON.stringify([id, start, reference, prompt]))
    return hash('sha256', lines.join('\n'))
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
        kind: request.kind,
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
    /** Throws `exam_taken` or `not_found`. */
    async editTask(exam: ExamRow, id: string, prompt: string): Promise<TaskRow> {
      const requireUntaken = () => {
        if (store.sizes(exam.no).runs > 0) throw new AppError('exam_taken')
      }
      requireUntaken()
      if (solved.tasks(exam.no).some((task) => task.id === id)) await writeInstruction(placeBelow(folderOf(exam.id), id), prompt)
      return tx(() => {
        requireUntaken()
        const task = solved.setPrompt(exam.no, id, prompt)
        store.changeExam(exam, { hash: hashOf(exam.no) })
        events.append('exam:added', { id: exam.id })
        return task
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

export type SolvedMaker = ReturnType<typeof createSolvedMaker>
