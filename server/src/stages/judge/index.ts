import { BenchmarkRunRequest } from '#contracts/entities/benchmark.ts'
import { ExamRunRequest } from '#contracts/entities/exam.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { benchmarkRoutes } from './bench/routes.ts'
import { type BenchmarkDeps, createBenchmarks } from './bench/service.ts'
import { examRoutes } from './exam/routes.ts'
import { createExams, type ExamDeps } from './exam/service.ts'
import { statisticsRoutes } from './routes.ts'

export { computeStatistics } from './statistics.ts'

type Deps = ExamDeps & Omit<BenchmarkDeps, 'models'>

/** Proof whether a model got better: exams of recorded calls on held-out work, public benchmarks, and the statistics of them. */
export function createJudge(core: Core, deps: Deps) {
  const exams = createExams(core, deps)
  const benchmarks = createBenchmarks(core, { ...deps, models: exams.models })
  const stage: Stage = {
    name: 'judge',
    routes: [...statisticsRoutes(core), ...examRoutes(core, exams), ...benchmarkRoutes(benchmarks)],
    stored: {
      examRun: ({ params }) => [{ schema: ExamRunRequest, value: exams.store.requireRun((params as { run: string }).run).request }], // of routes with a run
      benchmarkRun: ({ params }) => [
        { schema: BenchmarkRunRequest, value: benchmarks.store.require((params as { id: string }).id).request }, // of routes with a run
      ],
      benchmarkSets: () => benchmarks.rememberedFiles().map((files) => ({ schema: BenchmarkRunRequest.shape.files, value: files })),
    },
    forget: (traceId) => exams.forget(traceId),
    start(options) {
      exams.runs.open(options)
      benchmarks.open(options)
    },
    close: async () => void (await Promise.all([exams.runs.close(), benchmarks.close()])),
    startAgain: {
      'exam-run': (id) => exams.runs.resume(exams.store.requireRun(id), undefined),
      'benchmark-run': (id) => benchmarks.resume(id, undefined),
    },
  }
  return { stage, examined: exams.examined, examinedRows: exams.examinedRows }
}
