/** The pipeline: a stage may import `index.ts` of the stages before it, never of those after. The import check reads this. */
export const STAGE_ORDER = [
  'guardrails',
  'privacy',
  'capture',
  'traces',
  'scoring',
  'arena',
  'factory',
  'gym',
  'models',
  'judge',
  'router',
  'observability',
  'integrations',
] as const
