import * as augment from './augment.ts'
import * as baseModels from './base-models.ts'
import * as batches from './batches.ts'
import * as benchmarks from './benchmarks.ts'
import * as capture from './capture.ts'
import * as checks from './checks.ts'
import * as commandOverrides from './command-overrides.ts'
import * as datasets from './datasets.ts'
import * as environments from './environments.ts'
import * as answers from './answers.ts'
import * as exams from './exams.ts'
import * as factory from './factory.ts'
import * as guardrails from './guardrails.ts'
import * as jobs from './jobs.ts'
import * as loop from './loop.ts'
import * as models from './models.ts'
import * as observability from './observability.ts'
import * as outcomes from './outcomes.ts'
import * as pairs from './pairs.ts'
import * as preview from './preview.ts'
import * as privacy from './privacy.ts'
import * as routing from './routing.ts'
import * as rollouts from './rollouts.ts'
import * as rewards from './rewards.ts'
import * as router from './router.ts'
import * as sandboxes from './sandboxes.ts'
import * as savings from './savings.ts'
import * as scoring from './scoring.ts'
import * as segments from './segments.ts'
import * as shellGenerations from './shell-generations.ts'
import * as shellTasks from './shell-tasks.ts'
import * as signIn from './sign-in.ts'
import * as statistics from './statistics.ts'
import * as system from './system.ts'
import * as tasks from './tasks.ts'
import * as thermometer from './thermometer.ts'
import * as traces from './traces.ts'
import * as training from './training.ts'
import * as trainingMatrix from './training-matrix.ts'

const { TraceFilter: _f, TraceSort: _s, TraceFacets: _c, Selection: _l, BulkAction: _b, ...traceRoutes } = traces
const { ExampleSort: _es, ExampleFilter: _ef, ExampleFacets: _ec, ExampleSelection: _el, ...factoryRoutes } = factory
const { ShellTaskFilter: _stf, ...shellTaskRoutes } = shellTasks
const { PairFilter: _pf, PairSelection: _pl, ...pairRoutes } = pairs

/** Every route of the product, by name. */
export const routes = {
  ...system,
  ...signIn,
  ...jobs,
  ...capture,
  ...traceRoutes,
  ...scoring,
  ...commandOverrides,
  ...guardrails,
  ...observability,
  ...router,
  ...privacy,
  ...segments,
  ...factoryRoutes,
  ...pairRoutes,
  ...preview,
  ...datasets,
  ...augment,
  ...training,
  ...trainingMatrix,
  ...baseModels,
  ...models,
  ...sandboxes,
  ...checks,
  ...tasks,
  ...batches,
  ...environments,
  ...shellGenerations,
  ...shellTaskRoutes,
  ...rollouts,
  ...rewards,
  ...statistics,
  ...exams,
  ...thermometer,
  ...benchmarks,
  ...answers,
  ...loop,
  ...outcomes,
  ...routing,
  ...savings,
}
export type Routes = typeof routes
