import { captureMessages } from '#renderer/api/capture.ts'
import { datasetMessages } from '#renderer/api/datasets.ts'
import { exampleMessages } from '#renderer/api/examples.ts'
import { jobMessages } from '#renderer/api/jobs.ts'
import { modelMessages } from '#renderer/api/models.ts'
import { pairMessages } from '#renderer/api/pairs.ts'
import { privacyMessages } from '#renderer/api/privacy.ts'
import { providerMessages } from '#renderer/api/providers.ts'
import { runMessages } from '#renderer/api/runs.ts'
import { sandboxMessages } from '#renderer/api/sandboxes.ts'
import { scoringMessages } from '#renderer/api/scoring.ts'
import { settingsMessages } from '#renderer/api/settings.ts'
import { signInMessages } from '#renderer/api/sign-ins.ts'
import { statsMessages } from '#renderer/api/stats.ts'
import { traceFacetMessages, traceMessages } from '#renderer/api/traces.ts'
import { environmentMessages } from '#renderer/api/training-environment.ts'

/** What messages do to the cache, by noun. */
export const MESSAGES = [
  statsMessages,
  captureMessages,
  jobMessages,
  sandboxMessages,
  traceMessages,
  traceFacetMessages,
  scoringMessages,
  exampleMessages,
  pairMessages,
  datasetMessages,
  runMessages,
  environmentMessages,
  modelMessages,
  privacyMessages,
  settingsMessages,
  providerMessages,
  signInMessages,
] as const
