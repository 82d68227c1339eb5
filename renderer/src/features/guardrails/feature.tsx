import { guardrailMessages } from '#renderer/api/guardrails.ts'
import type { Feature } from '#renderer/app/feature.ts'

/** Its section comes with its screen. */
export const guardrails = { messages: [guardrailMessages] } satisfies Feature
