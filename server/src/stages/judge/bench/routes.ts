import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/benchmarks.ts'
import type { Benchmarks } from './service.ts'

export const benchmarkRoutes = (benchmarks: Benchmarks): Implementation[] => [
  implement(routes.listBenchmarks, async () => ({ items: await benchmarks.list() })),
  implement(routes.fetchBenchmark, ({ body }) => benchmarks.fetch(body.benchmark, body.part)),
  implement(routes.planBenchmark, ({ body }) => benchmarks.plan(body)),
  implement(routes.runBenchmark, ({ body }) => benchmarks.start(body)),
  implement(routes.listBenchmarkRuns, ({ query }) => benchmarks.runs(query)),
  implement(routes.compareBenchmarkRuns, ({ query }) => benchmarks.compare(query.runs)),
  implement(routes.getBenchmarkRun, ({ params, query, signal }) => benchmarks.get(params.id, { ...query, signal })),
  implement(routes.listBenchmarkRows, ({ params, query }) => benchmarks.rows(params.id, query)),
  implement(routes.getBenchmarkRow, ({ params, query }) => benchmarks.row(params.id, { itemNo: params.no, sample: query.sample })),
  implement(routes.cancelBenchmarkRun, ({ params }) => benchmarks.cancel(params.id)),
  implement(routes.resumeBenchmarkRun, ({ params, body }) => benchmarks.resume(params.id, body.maxCostUsd)),
  implement(routes.evaluateModel, ({ params, body }) => benchmarks.evaluate(params.id, body)),
]
