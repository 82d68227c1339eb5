/** Increased whenever a rule change affects scores. */
export const SCORE_VERSION = 2
