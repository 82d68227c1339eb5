import type { z } from 'zod'
import type { ExamAnswer, ExamItem, ExamRun } from '#contracts/entities/exam.ts'
import type { listExamItems } from '#contracts/routes/exams.ts'
import { invalidCursor } from '#server/db/paging.ts'
import { isoOf } from '#server/instant.ts'
import type { SolvedStore } from '../solved/store.ts'
import { taskView } from '../solved/view.ts'
import { isCompared, isOwed, type ScoredPair, stateOf } from './decide.ts'
import type { ExamStore, Known, RunRow, Side } from './store.ts'

export interface ViewDeps {
  store: ExamStore
  solved: { store: SolvedStore; folderOf: (examId: string) => string }
  pairsOf: (run: RunRow) => ScoredPair[]
}

/** Runs and their items as others see them. */
export function createRunViews({ store, solved, pairsOf }: ViewDeps) {
  const view = (run: RunRow): ExamRun => {
    const pairs = pairsOf(run)
    const { id, name, kind } = store.examOf(run)
    const counts = (side: Side) => {
      const found = { pass: 0, fail: 0, truncated: 0, timeout_with_verdict: 0, error: 0, not_run: 0 }
      for (const pair of pairs) found[stateOf(pair[side], pair[`${side}Score`])] += 1
      return found
    }
    const certificate = store.certificate(run)
    return {
      id: run.id,
      examId: id,
      examName: name,
      kind,
      state: run.state,
      detail: run.detail,
      request: run.request,
      ...run.sides,
      isReading: run.isReading,
      earlier: run.earlier,
      items: pairs.length,
      counts: { model: counts('model'), base: counts('base') },
      owed: pairs.filter(isOwed).length,
      costUsd: run.isPriced ? run.charged.usd : null,
      verdict: certificate?.verdict ?? null,
      delta: certificate?.delta ?? null,
      createdAt: isoOf(run.createdAt),
      startedAt: isoOf(run.startedAt),
      endedAt: isoOf(run.endedAt),
    }
  }
  const answerView = (run: RunRow, { item, attempt, runs, ...pair }: ScoredPair, side: Side): ExamAnswer => {
    const answer: Known = pair[side]
    const score = pair[`${side}Score`]
    return {
      state: stateOf(answer, score),
      score: score?.soft ?? null,
      text: answer === null ? null : store.textOf(run, item.no, side, attempt),
      call: answer?.call ?? null,
      error: answer?.error ?? null,
      attempt,
      ms: answer?.ms ?? null,
      runs: runs?.[side] ?? [],
    }
  }

  return {
    run: view,
    items(run: RunRow, { only, cursor, limit }: z.output<typeof listExamItems.query>) {
      const from = cursor === undefined ? 0 : Number(cursor)
      if (!Number.isInteger(from) || from < 0) throw invalidCursor()
      const compared = pairsOf(run)
        .map((pair) => ({ pair, difference: !isCompared(pair) ? null : pair.modelScore!.soft - pair.baseScore!.soft }))
        .filter(({ pair, difference }) => only === undefined || (only === 'owed' ? isOwed(pair) : kindOf(difference) === only))
        .toSorted((a, b) => (a.difference ?? 2) - (b.difference ?? 2) || a.pair.item.no - b.pair.item.no)
      const tasks = new Map(solved.store.tasks(run.examNo).map((task) => [task.no, taskView(task, solved.folderOf(store.examOf(run).id))]))
      const items = compared.slice(from, from + limit).map(({ pair, difference }): ExamItem => ({
        id: pair.item.id,
        no: pair.item.no,
        traceId: pair.item.traceId,
        repo: pair.item.repo,
        stepId: pair.item.stepId,
        recorded: pair.item.call,
        task: tasks.get(pair.item.no) ?? null,
        model: answerView(run, pair, 'model'),
        base: answerView(run, pair, 'base'),
        difference,
      }))
      return { items, nextCursor: from + limit < compared.length ? String(from + limit) : null, total: compared.length }
    },
  }
}

const kindOf = (difference: number | null) => (difference === null ? null : difference < 0 ? 'losses' : difference > 0 ? 'wins' : 'ties')
