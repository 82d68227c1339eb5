import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AnswerLabel, AnswerMetric, LabelMetric, RubricText } from '#contracts/entities/answer.ts'
import type { makeEvaluationSet } from '#contracts/routes/answers.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { answered } from './answer.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { traceKeys } from './traces.ts'

export const answerKeys = {
  runs: ['answer-runs'] as const,
  runsOf: (query: object) => ['answer-runs', query] as const,
  run: (id: string) => ['answer-run', id] as const,
  items: (id: string) => ['answer-items', id] as const,
  rubrics: ['answer-rubrics'] as const,
  agreement: ['answer-agreement'] as const,
  sets: ['answer-sets'] as const,
  set: (id: string) => ['answer-set', id] as const,
  cases: (id: string) => ['answer-cases', id] as const,
}

const PAGE = 50

export const useAnswerRuns = (query: { kind?: 'sessions'; set?: string }) =>
  useInfiniteQuery({
    queryKey: answerKeys.runsOf(query),
    queryFn: ({ pageParam, signal }) => api.listAnswerRuns({ query: { ...query, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useAnswerRun = (id: string) =>
  useQuery({ queryKey: answerKeys.run(id), queryFn: ({ signal }) => api.getAnswerRun({ params: { id }, signal }) })

export const useAnswerItems = (id: string) =>
  useInfiniteQuery({
    queryKey: answerKeys.items(id),
    queryFn: ({ pageParam, signal }) => api.listAnswerItems({ params: { id }, query: { limit: 10, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useRubrics = () => useQuery({ queryKey: answerKeys.rubrics, queryFn: ({ signal }) => api.listRubrics({ signal }) })
export const useAgreement = () => useQuery({ queryKey: answerKeys.agreement, queryFn: ({ signal }) => api.listAgreement({ signal }) })

export const useEvaluationSets = () =>
  useInfiniteQuery({
    queryKey: answerKeys.sets,
    queryFn: ({ pageParam, signal }) => api.listEvaluationSets({ query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })
export const useEvaluationSet = (id: string) =>
  useQuery({ queryKey: answerKeys.set(id), queryFn: ({ signal }) => api.getEvaluationSet({ params: { id }, signal }) })
export const useEvaluationCases = (id: string) =>
  useInfiniteQuery({
    queryKey: answerKeys.cases(id),
    queryFn: ({ pageParam, signal }) =>
      api.listEvaluationCases({ params: { id }, query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export function useMakeEvaluationSet(onMade: (id: string) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof makeEvaluationSet.body>) => api.makeEvaluationSet({ body }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: answerKeys.sets })
      onMade(id)
    },
    meta: { quiet: true },
  })
}

export function useSaveRubric(onSaved: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ metric, body }: { metric: AnswerMetric; body: RubricText }) => api.saveRubric({ params: { metric }, body }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: answerKeys.rubrics })
      onSaved()
    },
    meta: { quiet: true },
  })
}

/** Actions on a run. */
export function useAnswerRunActions(id: string) {
  const queries = useQueryClient()
  const params = { id }
  const act = answered(queries, { key: () => answerKeys.run(id), lists: answerKeys.runs, apply: () => undefined })
  return {
    start: useMutation({
      mutationFn: (maxCostUsd: number | null) => api.startAnswerRun({ params, body: maxCostUsd === null ? {} : { maxCostUsd } }),
      ...act,
      meta: { title: "Couldn't start the run" },
    }),
    cancel: useMutation({ mutationFn: () => api.cancelAnswerRun({ params }), ...act, meta: { title: "Couldn't cancel the run" } }),
  }
}

export function useLabelAnswer(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ no, metric, value, scale }: { no: number; metric: LabelMetric; value: number | null; scale: AnswerLabel['scale'] }) =>
      api.labelAnswer({ params: { id, no: String(no), metric }, body: { value, scale } }),
    onSuccess: () => {
      for (const queryKey of [answerKeys.items(id), answerKeys.agreement, answerKeys.run(id)]) void queries.invalidateQueries({ queryKey })
    },
    meta: { title: "Couldn't store the label" },
  })
}

export const answerMessages = ({ refetch, refetchSoon, afterBreak }: Cache) => {
  const figures = refetchSoon(['answer-run'], ['answer-items'])
  return {
    'answers:progress': figures,
    'answers:status': () =>
      refetch(['answer-run'], ['answer-items'], answerKeys.runs, answerKeys.agreement, traceKeys.lists, traceKeys.facets),
    'answers:set': () => refetch(answerKeys.sets),
    hello: () => afterBreak(['answer-run'], ['answer-items'], answerKeys.runs),
  } satisfies Partial<Handlers>
}
