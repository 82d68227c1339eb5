import { AnswerRunRequest } from '#contracts/entities/answer.ts'
import { BenchmarkRunRequest } from '#contracts/entities/benchmark.ts'
import { ExamRunRequest } from '#contracts/entities/exam.ts'
import { ThermometerRequest } from '#contracts/entities/thermometer.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { answerRoutes } from './answers/routes.ts'
import { type AnswerDeps, createAnswers } from './answers/service.ts'
import { benchmarkRoutes } from './bench/routes.ts'
import { type BenchmarkDeps, createBenchmarks } from './bench/service.ts'
import { examRoutes } from './exam/routes.ts'
import { createExams, type ExamDeps } from './exam/service.ts'
import { statisticsRoutes } from './routes.ts'
import { thermometerRoutes } from './thermometer/routes.ts'
import { createThermometer, type ThermometerDeps } from './thermometer/service.ts'

export { requestOf } from './exam/ask.ts'
export { computeStatistics } from './statistics.ts'

type Benchmarks = ReturnType<typeof createBenchmarks>
type ProofDeps = Omit<ExamDeps, 'benchmarks'> & Omit<BenchmarkDeps, 'models'> & AnswerDeps & Omit<ThermometerDeps, 'exams'>

/** Proof on held-out work whether a model got better: exams, public benchmarks and their statistics; grades of answers by models. */
export function createJudge(core: Core, deps: ProofDeps) {
  const exams = createExams(core, { ...deps, benchmarks: (model, base) => benchmarks.between(model, base) })
  const benchmarks: Benchmarks = createBenchmarks(core, { ...deps, models: exams.models })
  const answers = createAnswers(core, deps)
  const thermometer = createThermometer(core, { ...deps, exams })
  const stage: Stage = {
    name: 'judge',
    routes: [
      ...statisticsRoutes(core),
      ...examRoutes(core, exams),
      ...benchmarkRoutes(benchmarks),
      ...answerRoutes(core, answers),
      ...thermometerRoutes(thermometer),
    ],
    stored: {
      examRun: ({ params }) => [{ schema: ExamRunRequest, value: exams.store.requireRun((params as { run: string }).run).request }], // of routes with a run
      benchmarkRun: ({ params }) => [
        { schema: BenchmarkRunRequest, value: benchmarks.store.require((params as { id: string }).id).request }, // of routes with a run
      ],
      benchmarkSets: () => benchmarks.rememberedFiles().map((files) => ({ schema: BenchmarkRunRequest.shape.files, value: files })),
      benchmarkFiles: ({ body }) =>
        benchmarks.remembered(BenchmarkRunRequest.parse(body)).map((files) => ({ schema: BenchmarkRunRequest.shape.files, value: files })),
      answerRun: ({ params }) => [{ schema: AnswerRunRequest, value: answers.store.require((params as { id: string }).id).request }], // of routes with an id
      thermometer: () => [{ schema: ThermometerRequest, value: thermometer.store.read()?.request }],
    },
    forget(traceId) {
      exams.forget(traceId)
      answers.forget(traceId)
    },
    start(options) {
      exams.tasks.recover()
      exams.runs.open(options)
      benchmarks.open(options)
      answers.open(options)
      thermometer.open(options)
    },
    async close() {
      await thermometer.close()
      await Promise.all([exams.close(), benchmarks.close(), answers.close()])
    },
    startAgain: {
      'exam-run': (id) => exams.runs.resume(exams.store.requireRun(id), undefined),
      'benchmark-run': (id) => benchmarks.resume(id, undefined),
      'answer-run': (id) => answers.start(answers.store.require(id), undefined),
    },
  }
  return {
    stage,
    verdictsOf: exams.verdictsOf,
    paceOf: exams.paceOf,
    examined: exams.examined,
    examOf: exams.examOf,
    examinedRows: exams.examinedRows,
  }
}
