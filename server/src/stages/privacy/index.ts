export { openGate } from './gate.ts'
export type { ClearContext, Cleared, Gate, GateInput } from './gate.ts'
export { NO_DECISIONS } from './standing.ts'
export type { StandingDecisions } from './standing.ts'
