import { coreSchema } from './db/core-schema.ts'
import { collectSchemas } from './db/schema.ts'
import { spansSchema } from './spans/schema.ts'
import { agentsSchema } from './stages/agents/schema.ts'
import { captureSchema } from './stages/capture/schema.ts'
import { checksSchema } from './stages/checks/schema.ts'
import { factorySchema } from './stages/factory/schema.ts'
import { guardrailsSchema } from './stages/guardrails/schema.ts'
import { gymSchema } from './stages/gym/schema.ts'
import { examSchema } from './stages/judge/schema.ts'
import { modelsSchema } from './stages/models/schema.ts'
import { outcomesSchema } from './stages/outcomes/schema.ts'
import { privacySchema } from './stages/privacy/schema.ts'
import { routerSchema } from './stages/router/schema.ts'
import { sandboxesSchema } from './stages/sandboxes/schema.ts'
import { scoringSchema } from './stages/scoring/schema.ts'
import { shellRlSchema } from './stages/shell-rl/schema.ts'
import { tracesSchema } from './stages/traces/schema.ts'

/** The schema of the whole database. */
export const schema = collectSchemas({
  core: coreSchema,
  spans: spansSchema,
  guardrails: guardrailsSchema,
  privacy: privacySchema,
  capture: captureSchema,
  traces: tracesSchema,
  scoring: scoringSchema,
  sandboxes: sandboxesSchema,
  checks: checksSchema,
  outcomes: outcomesSchema,
  agents: agentsSchema,
  'shell-rl': shellRlSchema,
  factory: factorySchema,
  gym: gymSchema,
  models: modelsSchema,
  judge: examSchema,
  router: routerSchema,
})
