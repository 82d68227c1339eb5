import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import {
  Benchmark,
  BenchmarkComparison,
  BenchmarkName,
  BenchmarkResult,
  BenchmarkRow,
  BenchmarkRowDetail,
  BenchmarkRun,
  BenchmarkRunId,
  BenchmarkRunPlan,
  BenchmarkRunRequest,
  BenchmarkVerdict,
  ModelEvaluation,
} from '../entities/benchmark.ts'
import { csv, Cursor, Limit, page } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { ModelId } from '../entities/model.ts'

const route = routesOf('benchmarks')
const params = z.object({ id: BenchmarkRunId })

export const listBenchmarks = route.get('listBenchmarks', '/api/benchmarks', {
  summary: 'The benchmarks, and whether each can be run here',
  response: z.object({ items: z.array(Benchmark) }),
})
export const fetchBenchmark = route.post('fetchBenchmark', '/api/benchmarks/fetch', {
  summary: 'Download a part of a benchmark at its pinned revision from the model hub. `result` of the job is a BenchmarkFetched',
  status: 202,
  body: z.object({ benchmark: BenchmarkName, part: z.string().max(40).optional() }),
  response: Job,
  errors: ['benchmark_refused', 'job_running', 'hub_unreachable'],
})
export const planBenchmark = route.post('planBenchmark', '/api/benchmarks/plan', {
  summary: 'What a run of a benchmark would ask and cost, who gets it, and why it cannot start; nothing is asked',
  body: BenchmarkRunRequest,
  response: BenchmarkRunPlan,
  onlyLooks: true,
  errors: ['invalid_request', 'model_not_found', 'confirmation_required'],
  stored: 'benchmarkFiles',
})
export const runBenchmark = route.post('runBenchmark', '/api/benchmarks/run', {
  summary: 'Ask a model the items of a benchmark, and score its answers',
  status: 202,
  body: BenchmarkRunRequest,
  response: BenchmarkRun,
  errors: ['invalid_request', 'model_not_found', 'benchmark_refused', 'confirmation_required'],
  stored: 'benchmarkFiles',
})
export const listBenchmarkRuns = route.get('listBenchmarkRuns', '/api/benchmarks/runs', {
  summary: 'Runs of benchmarks, newest first',
  query: z.object({ benchmark: BenchmarkName.optional(), model: ModelId.optional(), cursor: Cursor, limit: Limit }),
  response: page(BenchmarkRun),
})
export const compareBenchmarkRuns = route.get('compareBenchmarkRuns', '/api/benchmarks/compare', {
  summary: 'Two to six runs on the same items: differences of each to the first',
  query: z.object({ runs: csv(BenchmarkRunId).pipe(z.array(BenchmarkRunId).min(2).max(6)) }),
  response: BenchmarkComparison,
  errors: ['benchmark_run_not_found', 'benchmark_refused'],
})
export const getBenchmarkRun = route.get('getBenchmarkRun', '/api/benchmarks/{id}', {
  summary: 'A run of a benchmark with its figures; with waitMs, the response waits until another answer has a verdict',
  params,
  query: z.object({
    waitMs: z.coerce.number().int().min(0).max(30_000).default(0),
    ended: z.coerce.number().int().default(0).meta({ description: 'how many verdicts the caller knows' }),
  }),
  response: BenchmarkRun.extend({ result: BenchmarkResult }),
  errors: ['benchmark_run_not_found'],
})
export const listBenchmarkRows = route.get('listBenchmarkRows', '/api/benchmarks/{id}/items', {
  summary: 'Every answer of a run with its verdict',
  params,
  query: z.object({ only: BenchmarkVerdict.or(z.enum(['suspicious', 'contaminated'])).optional(), cursor: Cursor, limit: Limit }),
  response: page(BenchmarkRow),
  errors: ['benchmark_run_not_found'],
})
export const getBenchmarkRow = route.get('getBenchmarkRow', '/api/benchmarks/{id}/items/{no}', {
  summary: 'One answer: prompt, text, extracted part, program and reason',
  params: params.extend({ no: z.coerce.number().int().min(0) }),
  query: z.object({ sample: z.coerce.number().int().min(1).default(1) }),
  response: BenchmarkRowDetail,
  errors: ['benchmark_run_not_found', 'not_found'],
})
export const cancelBenchmarkRun = route.post('cancelBenchmarkRun', '/api/benchmarks/{id}/cancel', {
  summary: 'Stop a run; its answers are kept',
  params,
  response: BenchmarkRun,
  errors: ['benchmark_run_not_found'],
  stored: { none: 'it only stops requests' },
})
export const resumeBenchmarkRun = route.post('resumeBenchmarkRun', '/api/benchmarks/{id}/resume', {
  summary: 'Ask and score again what is owed: errors, and what was not asked yet',
  status: 202,
  params,
  body: z.object({ maxCostUsd: z.number().positive().optional().meta({ description: 'a new cap for the whole run' }) }).default({}),
  response: BenchmarkRun,
  errors: ['benchmark_run_not_found', 'benchmark_refused', 'model_not_found', 'confirmation_required'],
  stored: 'benchmarkRun',
})
export const evaluateModel = route.post('evaluateModel', '/api/models/{id}/evaluate', {
  summary: 'Run every benchmark that is ready here, or those that are named, on a model of the registry',
  status: 202,
  params: z.object({ id: ModelId }),
  body: z
    .object({
      benchmarks: z.array(BenchmarkName).min(1).max(10).optional(),
      numSamples: z.number().int().min(1).optional().meta({ description: 'items of each; default: all' }),
    })
    .default({}),
  response: ModelEvaluation,
  errors: ['model_not_found', 'confirmation_required'],
  stored: 'benchmarkSets',
})
