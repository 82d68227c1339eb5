import { agents } from '#renderer/features/agents/feature.tsx'
import { evaluator } from '#renderer/features/evaluator/feature.tsx'
import { factory } from '#renderer/features/factory/feature.tsx'
import { guardrails } from '#renderer/features/guardrails/feature.tsx'
import { home } from '#renderer/features/home/feature.tsx'
import { jobs } from '#renderer/features/jobs/feature.tsx'
import { models } from '#renderer/features/models/feature.tsx'
import { onboarding } from '#renderer/features/onboarding/feature.tsx'
import { privacy } from '#renderer/features/privacy/feature.tsx'
import { profiler } from '#renderer/features/profiler/feature.tsx'
import { router } from '#renderer/features/router/feature.tsx'
import { sandboxes } from '#renderer/features/sandboxes/feature.tsx'
import { settings } from '#renderer/features/settings/feature.tsx'
import { shellTasks } from '#renderer/features/shell-tasks/feature.tsx'
import { traces } from '#renderer/features/traces/feature.tsx'
import { training } from '#renderer/features/training/feature.tsx'
import type { Feature } from './feature.ts'

const ALL = [
  home,
  traces,
  factory,
  training,
  models,
  evaluator,
  router,
  agents,
  sandboxes,
  shellTasks,
  privacy,
  guardrails,
  profiler,
  jobs,
  onboarding,
  settings,
] as const

/** Every feature of the app, in the order of the rail. */
export const FEATURES: readonly Feature[] = ALL

/** How messages change the cache. The types are kept, so that main.tsx does not compile if a message has no handler. */
export const MESSAGES = ALL.flatMap<(typeof ALL)[number]['messages'][number]>(({ messages }) => messages)
