/** Raised whenever a rule of scoring changes what a trace scores (system.md §4.1). */
export const SCORE_VERSION = 2
