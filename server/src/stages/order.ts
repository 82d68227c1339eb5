/** A stage may import the `index.ts` of earlier stages only. The import check reads this list. */
export const STAGE_ORDER = [
  'guardrails',
  'privacy',
  'capture',
  'traces',
  'scoring',
  'sandboxes',
  'checks',
  'agents',
  'shell-rl',
  'factory',
  'gym',
  'models',
  'judge',
  'router',
  'observability',
  'integrations',
] as const
