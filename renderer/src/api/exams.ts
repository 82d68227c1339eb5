import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ExamRunRequest } from '#contracts/entities/exam.ts'
import type { listExamItems } from '#contracts/routes/exams.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { answered } from './answer.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

export const examKeys = {
  all: ['exams'] as const,
  plan: (request: object | null) => ['exam-plan', request] as const,
  one: (id: string) => ['exam', id] as const,
  runs: (id: string) => ['exam-runs', id] as const,
  runPlan: (request: object | null) => ['exam-run-plan', request] as const,
  run: (id: string, run: string) => ['exam-run', id, run] as const,
  pictures: (id: string, run: string) => ['exam-pictures', id, run] as const,
  tasks: (id: string) => ['exam-tasks', id] as const,
  candidates: (id: string, reason: string) => ['exam-candidates', id, reason] as const,
  items: (id: string, run: string, only: string) => ['exam-items', id, run, only] as const,
}

export type ExamRunDraft = z.input<typeof ExamRunRequest>
export type ItemKind = NonNullable<z.output<typeof listExamItems.query>['only']>

const PAGE = 50

export const useExams = () =>
  useInfiniteQuery({
    queryKey: examKeys.all,
    queryFn: ({ pageParam, signal }) => api.listExams({ query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useExam = (id: string) =>
  useQuery({ queryKey: examKeys.one(id), queryFn: ({ signal }) => api.getExam({ params: { id }, signal }) })

export const useExamRuns = (id: string) =>
  useInfiniteQuery({
    queryKey: examKeys.runs(id),
    queryFn: ({ pageParam, signal }) => api.listExamRuns({ params: { id }, query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useExamRun = (id: string, run: string) =>
  useQuery({ queryKey: examKeys.run(id, run), queryFn: ({ signal }) => api.getExamRun({ params: { id, run }, signal }) })

export const useExamPictures = (id: string, run: string) =>
  useQuery({ queryKey: examKeys.pictures(id, run), queryFn: ({ signal }) => api.getExamPictures({ params: { id, run }, signal }) })

export const useExamItems = (id: string, run: string, only: ItemKind | 'all') =>
  useInfiniteQuery({
    queryKey: examKeys.items(id, run, only),
    queryFn: ({ pageParam, signal }) =>
      api.listExamItems({
        params: { id, run },
        query: { limit: PAGE, ...(only !== 'all' && { only }), ...cursorQuery(pageParam) },
        signal,
      }),
    ...BY_CURSOR,
  })

export const useExamTasks = (id: string) =>
  useInfiniteQuery({
    queryKey: examKeys.tasks(id),
    queryFn: ({ pageParam, signal }) => api.listExamTasks({ params: { id }, query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useExamCandidates = (id: string, reason: string) =>
  useInfiniteQuery({
    queryKey: examKeys.candidates(id, reason),
    queryFn: ({ pageParam, signal }) =>
      api.listExamCandidates({ params: { id }, query: { reason, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export function useEditExamTask(id: string, onSaved: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ task, prompt }: { task: string; prompt: string }) => api.editExamTask({ params: { id, task }, body: { prompt } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: examKeys.tasks(id) })
      onSaved()
    },
    meta: { title: "Couldn't change the prompt" },
  })
}

export function useRemoveExamTask(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (task: string) => api.removeExamTask({ params: { id, task } }),
    onSuccess: (exam) => {
      queries.setQueryData(examKeys.one(id), exam)
      void queries.invalidateQueries({ queryKey: examKeys.tasks(id) })
    },
    meta: { title: "Couldn't leave out the task" },
  })
}

export function useStartExamRun(id: string, onStarted: (run: string) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ExamRunDraft) => api.startExamRun({ params: { id }, body }),
    onSuccess: ({ id: run }) => {
      void queries.invalidateQueries({ queryKey: examKeys.runs(id) })
      onStarted(run)
    },
    meta: { quiet: true },
  })
}

/** Actions on a run. */
export function useExamRunActions(id: string, run: string) {
  const queries = useQueryClient()
  const params = { id, run }
  const act = answered(queries, { key: () => examKeys.run(id, run), lists: examKeys.runs(id), apply: () => undefined })
  return {
    cancel: useMutation({ mutationFn: () => api.cancelExamRun({ params }), ...act, meta: { title: "Couldn't cancel the run" } }),
    resume: useMutation({ mutationFn: () => api.resumeExamRun({ params, body: {} }), ...act, meta: { title: "Couldn't resume the run" } }),
    repeat: useMutation({ mutationFn: () => api.repeatOwedExamItems({ params }), ...act, meta: { title: "Couldn't repeat what is owed" } }),
    decide: useMutation({ mutationFn: () => api.decideExamRun({ params }), ...act, meta: { title: "Couldn't decide the run" } }),
  }
}

export const examMessages = ({ refetch, refetchSoon, afterBreak }: Cache) => {
  const figures = refetchSoon(['exam-run'], ['exam-items'], ['exam-pictures'])
  const lists = refetchSoon(['exam-runs'])
  const changed = () => refetch(['exam-run'], ['exam-items'], ['exam-pictures'], ['exam-runs'])
  return {
    'exam:added': ({ id }) => refetch(examKeys.all, examKeys.one(id), examKeys.tasks(id), ['exam-candidates', id]),
    'evaluation:progress': () => {
      figures()
      lists()
    },
    'evaluation:complete': changed,
    'evaluation:failed': changed,
    hello: () => afterBreak(['exam-run'], ['exam-items'], ['exam-runs']),
  } satisfies Partial<Handlers>
}
