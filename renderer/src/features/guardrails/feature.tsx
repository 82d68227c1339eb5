import { guardrailMessages } from '#renderer/api/guardrails.ts'
import type { Feature } from '#renderer/app/feature.ts'

/** Only handles messages; there is no screen yet. */
export const guardrails = { messages: [guardrailMessages] } satisfies Feature
